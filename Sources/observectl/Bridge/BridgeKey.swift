// SPDX-License-Identifier: MIT
// The names along a key path as the key of a bucket, and back. Independent of trees and connections.

/// Keys hold letters, digits, `-`, `_`, `/`, and `.` between names. Other bytes of a name are `=XX`. The empty name is `=`.
enum BridgeKey {
    /// Longer keys may not fit into a server's lines.
    static let longestBytes = 3500

    static func key(of names: [String]) -> String {
        if names.allSatisfy(isPlain) { return names.joined(separator: ".") }
        return names.map { name in
            var text = name.isEmpty ? "=" : ""
            for byte in name.utf8 {
                if isPlain(byte) {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    text += byte < 16 ? "=0\(digits)" : "=\(digits)"
                }
            }
            return text
        }.joined(separator: ".")
    }

    /// Whether a name is its own key.
    static func isPlain(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy(isPlain) }

    /// The names of a key; nil for a key that no bridge makes.
    static func names(of key: ArraySlice<UInt8>) -> [String]? {
        guard key.count <= longestBytes else { return nil }
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
        while var byte = rest.popFirst() {
            if byte == 0x3D {
                guard let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                byte = escaped
                rest = rest.dropFirst(2)
            }
            bytes.append(byte)
        }
        // One name has one key.
        let name = String(validating: bytes, as: UTF8.self)
        return name.flatMap { key(of: [$0]).utf8.elementsEqual(part) ? $0 : nil }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isOfBucketName || byte == 0x2F }
}
