// SPDX-License-Identifier: MIT
// Values in the tree and values of Swift programs.

extension StoredValue {
    /// Stores a scalar. Arrays, objects and numbers that are not finite become null.
    init(scalar value: Value) {
        switch value {
        case .bool(let bool): self = .bool(bool)
        case .int(let int): self = .int(int)
        case .double(let double): self = double.isFinite ? .double(double) : .null
        case .string(let string): self = .string(StoredString.make(string))
        case .null, .array, .object: self = .null
        }
    }

    /// The scalar; nil for arrays and models.
    var scalar: Value? {
        switch self {
        case .absent, .null: .null
        case .bool(let bool): .bool(bool)
        case .int(let int): .int(int)
        case .double(let double): .double(double)
        case .string(let string): .string(string.string)
        case .text(let text): .string(StoredString.make(text.view).string)
        case .array, .model: nil
        }
    }
}

extension StoredString {
    /// Stores the text: as between the quotes of canonical JSON.
    static func make(_ text: String) -> StoredString {
        let canonical = ByteBuffer(capacity: text.utf8.count + 2)
        canonical.appendJSONString(utf8: text)
        return make(canonical.view.dropFirst(1).prefix(canonical.count - 2))
    }

    /// The text without JSON's escapes.
    var string: String {
        let canonical = ByteBuffer(capacity: count)
        append(to: canonical)
        let decoded = ByteBuffer(capacity: count)
        decoded.appendDecoded(canonicalContents: canonical.view)
        return decoded.string
    }
}
