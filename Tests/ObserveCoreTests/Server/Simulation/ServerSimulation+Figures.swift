// SPDX-License-Identifier: MIT
// How much a simulated run did. Independent of its faults.

@testable import ObserveCore

extension ServerSimulation {
    /// Sums over the clients and lives of a run.
    struct Figures: CustomStringConvertible {
        var steps = 0
        var lives = 0
        var crashes = 0
        var answers = 0
        var frames = 0
        var resumed = 0
        var bytes = 0
        var goodbyes: [String: Int] = [:]

        mutating func add(_ other: Figures) {
            steps += other.steps
            lives += other.lives
            crashes += other.crashes
            answers += other.answers
            frames += other.frames
            resumed += other.resumed
            bytes += other.bytes
            goodbyes.merge(other.goodbyes) { $0 + $1 }
        }

        var description: String {
            let reasons = goodbyes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            return
                "\(steps) steps, \(lives) lives, \(crashes) crashes, \(answers) answers, \(frames) frames, \(resumed) resumed, \(bytes) bytes, goodbyes: \(reasons.joined(separator: ", "))"
        }
    }

    var figures: Figures {
        var figures = Figures()
        (figures.steps, figures.lives, figures.crashes) = (steps, lives, crashes)
        figures.bytes = digest.bytes
        for client in clients {
            figures.answers += client.answers
            figures.frames += client.frames
            figures.resumed += client.resumed
            figures.goodbyes.merge(client.goodbyes) { $0 + $1 }
        }
        return figures
    }
}
