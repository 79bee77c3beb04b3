// SPDX-License-Identifier: MIT
// Compiles the mistakes that an article shows, and compares the compiler's messages.

import Testing

struct MistakeTests {
    private static let article = "Sources/ObserveCore/ObserveCore.docc/Mistakes.md"
    private static let mistakes = Array(
        zip(Document.blocks("swift", in: article), Document.blocks("text", in: article))
    )

    @Test(.timeLimit(.minutes(15)), arguments: mistakes)
    func `the compiler says what the article shows`(mistake: Block, messages: Block) throws {
        let source = "import ObserveCore\n" + mistake.text
        let found = try SwiftCompiler.diagnostics(of: source, warnings: true)
        #expect(found == messages.lines)
    }

    @Test func `the article shows five mistakes`() {
        #expect(Self.mistakes.count == 5)
    }
}
