// SPDX-License-Identifier: MIT
// Finds the fenced blocks of the project's documents. Independent of their use.

import Testing

/// One fenced block: the lines between ```` ```kind ```` and ```` ``` ````.
struct Block: Sendable, CustomTestStringConvertible {
    let document: String
    let line: Int
    let lines: [String]

    var text: String { lines.joined(separator: "\n") + "\n" }
    var testDescription: String { "\(document), line \(line)" }
}

enum Document {
    static func text(_ name: String) -> String {
        do { return try readText("\(BuiltProducts.package)/\(name)") } catch { return "" }
    }

    /// The blocks of that kind, in order.
    static func blocks(_ kind: String, in document: String) -> [Block] {
        var blocks: [Block] = []
        var open: (line: Int, lines: [String])?
        let lines = text(document).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let (start, lines) = open {
                if line == "```" {
                    blocks.append(Block(document: document, line: start, lines: lines))
                    open = nil
                } else {
                    open?.lines.append(String(line))
                }
            } else if line == "```\(kind)" {
                open = (index + 1, [])
            }
        }
        return blocks
    }

    /// Whether `line` matches the document's line, in which `…` stands for any text.
    static func matches(_ shown: String, _ line: String) -> Bool {
        let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return shown == line }
        guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = line.dropFirst(parts[0].count).dropLast(parts[parts.count - 1].count)
        for part in parts.dropFirst().dropLast() {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
