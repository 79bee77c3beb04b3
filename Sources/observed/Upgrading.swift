// SPDX-License-Identifier: MIT
// Replaces the running program by the one that is installed now. Independent of how requests for it arrive.
//
// First the next program runs once as a child, with a copy of the tree. If that succeeds, the present program ends all
// connections and replaces itself in the same process.

internal import ObserveCore

/// - Threading: confined to the server's queue until the server has stopped.
final class Upgrading {
    /// How long the next program may take to read the tree.
    private static let seconds: UInt64 = 60

    private enum Phase { case idle, checking, decided, cancelled }

    /// The words after the program's name, with which the next program starts.
    private let words: [String]
    private let service: Service
    private var phase = Phase.idle

    init(_ words: [String], _ service: Service) { (self.words, self.service) = (words, service) }

    /// Whether clients know that another program continues.
    var isDecided: Bool { phase == .decided }

    /// The daemon is to end instead.
    func cancel(_ server: EventLoop) {
        phase = .cancelled
        server.endChild()
    }

    /// Begins with the check, unless it is running.
    func begin(_ server: EventLoop) {
        guard phase == .idle else { return }
        phase = .checking
        Log.shared.info("upgrading: checking \(ProgramFile.path)")
        let handover = server.handover()
        let check = UpgradeCheck(handover)
        server.runChild(words + ["--check-upgrade"], input: handover, seconds: Upgrading.seconds) {
            self.finish(check.outcome(of: $0, after: Upgrading.seconds), $1)
        }
    }

    private func finish(_ outcome: UpgradeOutcome, _ server: EventLoop) {
        guard phase == .checking else { return }
        server.answerUpgrade(outcome)
        switch outcome {
        case .refused(let reason):
            phase = .idle
            Log.shared.error("no upgrade: \(reason)")
        case .accepted(let version):
            phase = .decided
            Log.shared.info("upgrading to version \(version)")
            service.willContinue("upgrading to version \(version)")
            server.endForUpgrade()
        }
    }

    /// What the log says of a start.
    static func readiness(on place: String, after handover: Handover?) -> String {
        guard let handover else { return "ready on \(place)" }
        let what = handover.breakage == nil ? "an upgrade" : "a failure of the state's disk"
        return "ready again on \(place), after \(what)"
    }

    /// Starts the next program in this process, if the server has ended for that: another one, or the same one after a broken
    /// disk. A signal that ends the daemon, and arrived since the server stopped, ends it now.
    /// - Parameter configuration: the text of the configuration in force, which the same program keeps.
    func succeed(
        _ server: EventLoop,
        _ folder: StateFolder?,
        unless endings: [Int32],
        inForce configuration: [UInt8]
    ) throws {
        let isSame = server.breakage != nil
        if let breakage = server.breakage {
            guard breakage.isReadable
            else { throw StateFailure(description: "the disk of the state is broken") }
            // The next start continues from what the disk has kept.
            if phase == .cancelled { return }
            service.willContinue("continuing after a failure of the state's disk")
        } else if phase != .decided {
            return
        }
        let handover = server.handover(withTree: folder == nil, configuration: isSame ? configuration : [])
        guard let (listener, text) = handover else { return }
        let memory = try MemoryFile(text, name: "observed-handover")
        var passed = [(Service.socketName, listener), (Service.handoverName, memory.number)]
        if let folder { passed.append((Service.lockName, folder.lockNumber)) }
        service.prepare(passing: passed.map(\.0))
        if SignalCounter.hasArrived(endings) {
            Log.shared.info("ending, instead of continuing as another program")
            return server.closeListener()
        }
        let numbers = passed.map(\.1)
        let error = ProgramFile.replaceProcess(arguments: words, passing: numbers, isSame: isSame)
        server.closeListener()
        throw error
    }
}

/// What the child with `--check-upgrade` must print.
struct UpgradeCheck {
    private let expected: String
    private static let opening = "observed "

    static func text(version: String, _ epoch: String, _ revision: UInt64) -> String {
        "\(opening)\(version)\(ending(epoch, revision))"
    }

    private static func ending(_ epoch: String, _ revision: UInt64) -> String {
        " continues \(epoch) at revision \(revision)"
    }

    init(_ handover: [UInt8]) {
        let header = try? Handover(handover)
        expected = UpgradeCheck.ending(header?.epoch ?? "", header?.revision ?? 0)
    }

    func outcome(of result: Result<ProgramRun, SocketError>, after seconds: UInt64) -> UpgradeOutcome {
        let path = ProgramFile.path
        let run: ProgramRun
        switch result {
        case .success(let ended): run = ended
        case .failure(let error): return .refused("\(error)")
        }
        if run.isTimedOut { return .refused("\(path) --check-upgrade did not end in \(seconds) s") }
        let output = run.output.split(separator: "\n").last.map(String.init) ?? ""
        if run.status == 0, output.hasPrefix(UpgradeCheck.opening), output.hasSuffix(expected) {
            let version = output.dropFirst(UpgradeCheck.opening.count).dropLast(expected.count)
            return .accepted(version: String(version))
        }
        let ending = run.status.map { "ended with status \($0)" } ?? "was ended by a signal"
        let reasons = run.errors.split(separator: "\n").map { line in
            line.hasPrefix("observed: ") ? String(line.dropFirst(10)) : String(line)
        }
        let why = reasons.isEmpty ? "" : ": " + reasons.joined(separator: "; ")
        return .refused("\(path) --check-upgrade \(ending)\(why)")
    }
}
