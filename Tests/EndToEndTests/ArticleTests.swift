// SPDX-License-Identifier: MIT
// Compiles every Swift example of the articles and of docs/swift.md, wherever a program may have it.

import Testing

struct ArticleTests {
    private static let documents = [
        "docs/swift.md", "Sources/ObserveCore/ObserveCore.docc/ObserveCore.md",
        "Sources/ObserveCore/ObserveCore.docc/Observing.md",
        "Sources/ObserveCore/ObserveCore.docc/Binding.md",
        "Sources/ObserveCore/ObserveCore.docc/Deriving.md",
        "Sources/ObserveCore/ObserveCore.docc/Isolating.md",
        "Sources/ObserveCore/ObserveCore.docc/Publishing.md",
    ]

    /// Where a program may have an example.
    enum Isolation: String, CaseIterable, CustomTestStringConvertible {
        case mainActor, actor, none

        var testDescription: String { rawValue }

        func function(_ name: String, _ body: String) -> String {
            switch self {
            case .mainActor: "@MainActor func \(name)() async throws {\n\(body)}\n"
            case .actor: "extension Owner { func \(name)() async throws {\n\(body)} }\n"
            case .none: "func \(name)() async throws {\n\(body)}\n"
            }
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: Isolation.allCases)
    func `every example compiles, on the main actor and elsewhere`(isolation: Isolation) throws {
        var source = ExampleFixtures.types + "actor Owner {}\n"
        var count = 0
        for document in Self.documents {
            let blocks = Document.blocks("swift", in: document)
            #expect(!blocks.isEmpty, "\(document)")
            // Each block is nested in the one before it: it may use that one's declarations, and repeat their names.
            var body = ExampleFixtures.locals
            for block in blocks {
                var lines = block.lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("dispatchMain()") }
                // A macro that extends a type can't be used in a function.
                while let start = lines.firstIndex(where: { $0.hasPrefix("@Observable") }),
                    let end = lines[start...].firstIndex(of: "}")
                {
                    source += lines[start...end].joined(separator: "\n") + "\n"
                    lines.removeSubrange(start...end)
                }
                body += "do {\n" + lines.joined(separator: "\n") + "\n"
            }
            body += String(repeating: "}", count: blocks.count) + "\n"
            source += isolation.function("example\(count)", body)
            count += blocks.count
        }
        #expect(count >= 15)
        #expect(try SwiftCompiler.diagnostics(of: source) == [])
    }
}
