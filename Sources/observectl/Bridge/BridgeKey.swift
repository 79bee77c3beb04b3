// SPDX-License-Identifier: MIT
// The names along a key path as the key of a bucket, and back. Independent of trees and connections.

/// Keys hold letters, digits, `-`, `_`, `/`, and `.` between names. Other bytes of a name are `=XX`. The empty name is `=`.
enum BridgeKey {
    /// The key of a path.
    static func key(of names: [String]) -> String {
        if names.allSatisfy(isPlain) { return names.joined(separator: ".") }
        return names.map { name in
            var text = name.isEmpty ? "=" : ""
            for byte in name.utf8 {
                if isPlain(byte) {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    text += "=" + digit(byte >> 4) + digit(byte & 15)
                }
            }
            return text
        }.joined(separator: ".")
    }

    /// Whether a name is its own key.
    static func isPlain(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isPlain) }

    /// The names of a key; nil for a key that no bridge makes.
    static func names(of key: ArraySlice<UInt8>) -> [String]? {
        var names: [String] = []
        names.reserveCapacity(4)
        var start = key.startIndex
        while true {
            let end = key[start...].firstIndex(of: 0x2E) ?? key.endIndex
            guard let name = name(of: key[start..<end]) else { return nil }
            names.append(name)
            guard end < key.endIndex else { return names }
            start = end + 1
        }
    }

    private static func name(of part: ArraySlice<UInt8>) -> String? {
        guard !part.isEmpty else { return nil }
        if part.elementsEqual([0x3D]) { return "" }
        if part.allSatisfy(isPlain) { return String(decoding: part, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            if isPlain(byte) {
                bytes.append(byte)
                continue
            }
            guard byte == 0x3D, let high = rest.popFirst().flatMap(number),
                let low = rest.popFirst().flatMap(number)
            else { return nil }
            let escaped = high << 4 | low
            // One name has one key: what needs no escape has none.
            guard !isPlain(escaped) else { return nil }
            bytes.append(escaped)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isOfBucketName || byte == 0x2F }

    private static func digit(_ value: UInt8) -> String { String(value, radix: 16, uppercase: true) }

    private static func number(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        default: nil
        }
    }
}
