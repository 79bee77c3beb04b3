// SPDX-License-Identifier: MIT
// Compiles every Swift example of the library's comments, on the main actor or where its comment has it.

import Testing

struct CommentExampleTests {
    /// The text around an example: before and after it.
    private static let places = [
        "ObservableModel+Announcing.swift": (
            "final class Place: ObservableModel {\nlet observationStore = ObservationStore()\n", "}\n"
        ),
        "WeakObservers.swift": (
            "final class Place {\nlet label = Label()\nfunc begin(_ event: Event) {\n", "}\n}\n"
        ),
        "ObservableModel+Isolation.swift": (
            """
            actor Place {
            private let player = Player()
            private var titles: [String] = []
            private var token: ObservationToken?
            func begin() {

            """, "}\n}\n"
        ),
    ]

    private static let event = """
        final class Event: ObservableModel {
            let observationStore = ObservationStore()
            @Published var title = ""
        }

        """

    @Test(.timeLimit(.minutes(15)))
    func `every example in a comment of the library compiles`() throws {
        let folder = "\(BuiltProducts.package)/Sources/ObserveCore"
        let found = try ChildProcess.run("grep", ["-rl", "/// ```swift", folder]).output
        var source = ExampleFixtures.types + Self.event
        var count = 0
        for file in found.split(separator: "\n").sorted() {
            let name = String(file.split(separator: "/").last ?? "")
            for example in examples(try readText(String(file))) {
                count += 1
                let body =
                    Self.places[name].map { $0.0 + example + $0.1 }
                    ?? "\(ExampleFixtures.locals)do {\n\(example)}\n"
                source += "@MainActor func example\(count)() async throws {\n// \(name)\n\(body)}\n"
            }
        }
        #expect(count >= 20)
        let diagnostics = try SwiftCompiler.diagnostics(of: source)
        #expect(diagnostics == [])
    }

    /// The Swift blocks in the comments of a file.
    private func examples(_ text: String) -> [String] {
        var examples: [String] = []
        var current: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let comment = line.drop { $0 == " " }
            guard comment.hasPrefix("///") else { continue }
            let content = comment.dropFirst(3)
            if content == " ```swift" {
                current = ""
            } else if content == " ```" {
                if let current { examples.append(current) }
                current = nil
            } else {
                current?.append("\(content)\n")
            }
        }
        return examples
    }
}
