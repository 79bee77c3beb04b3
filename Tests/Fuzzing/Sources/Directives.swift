// SPDX-License-Identifier: MIT
// Splits an input into its lines and the directives between them. Independent of the targets.

/// A part of an input: lines without a directive, or a line that begins with a mark.
enum InputPart {
    /// Bytes with their line feeds.
    case bytes([UInt8])
    /// The words of a directive: `!pass 100`.
    case directive([String])
}

/// The parts of an input. A directive is a line that begins with `mark`.
func parts(of input: [UInt8], mark: UInt8 = UInt8(ascii: "!")) -> [InputPart] {
    var parts: [InputPart] = []
    var bytes: [UInt8] = []
    var rest = input[...]
    while !rest.isEmpty {
        let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        let line = rest[rest.startIndex..<end]
        rest = rest[end...]
        guard line.first == mark else {
            bytes += line
            continue
        }
        if !bytes.isEmpty { parts.append(.bytes(bytes)) }
        bytes = []
        let text = String(decoding: line.dropFirst(), as: UTF8.self)
        parts.append(.directive(text.split { $0 == " " || $0 == "\n" }.map(String.init)))
    }
    if !bytes.isEmpty { parts.append(.bytes(bytes)) }
    return parts
}
