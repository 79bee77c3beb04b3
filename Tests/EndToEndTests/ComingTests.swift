// SPDX-License-Identifier: MIT
// Compiles each row of the tables that compare the library with others.

import Testing

struct ComingTests {
    private static let article = "Sources/ObserveCore/ObserveCore.docc/Coming.md"

    /// The code in the last cell of each row.
    private static var rows: [[String]] {
        Document.text(article).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| "), line.hasSuffix(" |"), !line.hasSuffix("| here |") else { return nil }
            let cell = line.dropLast(2).split(separator: "| ").last ?? ""
            // Names of symbols have two backquotes.
            let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
            return parts.indices.filter { $0 % 2 == 1 && !parts[$0].isEmpty }.map { String(parts[$0]) }
        }
    }

    @Test(.timeLimit(.minutes(15))) func `every row of the tables compiles`() throws {
        var source = ExampleFixtures.types
        for (number, row) in Self.rows.enumerated() {
            #expect(!row.isEmpty, "row \(number)")
            let body = row.map { "do { \($0) }\n" }.joined()
            source += "@MainActor func row\(number)() async throws {\n\(ExampleFixtures.locals)\(body)}\n"
        }
        #expect(Self.rows.count >= 35)
        #expect(try SwiftCompiler.diagnostics(of: source) == [])
    }
}
