// SPDX-License-Identifier: MIT
// Indents and colours JSON for people. Independent of the output.

import ObserveCore

/// JSON for people. It stays JSON, apart from the colours: characters that would change a terminal become escapes.
struct JSONLayout {
    let isIndented: Bool
    let isColoured: Bool
    private var output: [UInt8] = []
    private var depth = 0

    /// - Returns: the value without a line feed at its end.
    static func bytes(of json: RawJSON, as presentation: Presentation) -> [UInt8] {
        var layout = JSONLayout(isIndented: presentation.isIndented, isColoured: presentation.isColoured)
        layout.append(json.bytes)
        return layout.output
    }

    private mutating func append(_ json: [UInt8]) {
        var rest = json[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(&rest)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                rest.removeFirst()
                depth -= 1
                breakLine()
                output.append(byte)
            case UInt8(ascii: ","):
                rest.removeFirst()
                output.append(byte)
                breakLine()
            case UInt8(ascii: "\""): appendString(&rest)
            case 0x20, 0x09, 0x0A, 0x0D: rest.removeFirst()
            default: appendScalar(&rest)
            }
        }
    }

    private mutating func open(_ rest: inout ArraySlice<UInt8>) {
        output.append(rest.removeFirst())
        JSONLayout.skipSpace(&rest)
        if let close = rest.first, close == UInt8(ascii: "}") || close == UInt8(ascii: "]") {
            output.append(rest.removeFirst())
            return
        }
        depth += 1
        breakLine()
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        output.append(0x0A)
        output += Array(repeating: 0x20, count: 2 * depth)
    }

    /// Appends a string, and its colon if it is a name.
    private mutating func appendString(_ rest: inout ArraySlice<UInt8>) {
        var end = rest.startIndex + 1
        while rest[end] != UInt8(ascii: "\"") { end += rest[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let string = rest[...end]
        rest = rest[(end + 1)...]
        JSONLayout.skipSpace(&rest)
        let isName = rest.first == UInt8(ascii: ":")
        append(JSONLayout.visible(string), isName ? .name : .string)
        guard isName else { return }
        output += isIndented ? [UInt8(ascii: ":"), 0x20] : [UInt8(ascii: ":")]
        rest.removeFirst()
    }

    private mutating func appendScalar(_ rest: inout ArraySlice<UInt8>) {
        let scalar = rest.prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains($0) }
        rest = rest[scalar.endIndex...]
        let isLiteral = scalar.first.map { $0 >= UInt8(ascii: "a") } ?? false
        append(Array(scalar), isLiteral ? .literal : .number)
    }

    private mutating func append(_ bytes: [UInt8], _ tone: Style.Tone) {
        guard isColoured else { return output += bytes }
        output += "\u{1B}[\(tone.code)m".bytes + bytes + "\u{1B}[0m".bytes
    }

    private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    /// A string of JSON whose hidden characters are escapes.
    private static func visible(_ string: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: string, as: UTF8.self)
        let shown = text.showingHidden { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            }.joined()
        }
        return shown.bytes
    }
}
