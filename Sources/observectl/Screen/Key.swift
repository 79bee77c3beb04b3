// SPDX-License-Identifier: MIT
// Keys and the mouse, from the bytes of a terminal. Independent of terminals and of the keys' meaning.

enum Key: Equatable, Sendable {
    case character(Character)
    /// With the control key, in lower case.
    case control(Character)
    case up, down, left, right, pageUp, pageDown, home, end
    case enter, escape, backspace, tab, delete
    /// At a column and a row, from 0.
    case click(column: Int, row: Int)
    case wheel(up: Bool, column: Int, row: Int)
}

/// Parses keys. Bytes may come in pieces, and sequences without a meaning are passed over.
struct KeyParser {
    /// Longer sequences are not keys.
    private static let longest = 32
    private static let escape = UInt8(0x1B)

    private var pending: [UInt8] = []

    /// Whether a key may have begun: ``flush()`` ends it.
    var hasPending: Bool { !pending.isEmpty }

    mutating func parse(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while !pending.isEmpty {
            guard let (key, count) = next() else { break }
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        if pending.count > KeyParser.longest { pending = [] }
        return keys
    }

    /// No further byte came: an escape alone is that key.
    mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending.first == KeyParser.escape ? [.escape] : []
    }

    /// The next key and its bytes; a nil key for bytes without a meaning; nil if more bytes are needed.
    private func next() -> (Key?, Int)? {
        let first = pending[0]
        switch first {
        case KeyParser.escape: return sequence()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0, 0x1C..<0x20: return (nil, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
        default: return character(first)
        }
    }

    private func character(_ first: UInt8) -> (Key?, Int)? {
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard count > 1 else { return (nil, 1) }
        guard pending.count >= count else { return nil }
        guard let text = String(validating: pending[..<count], as: UTF8.self), let only = text.first
        else { return (nil, 1) }
        return (.character(only), count)
    }

    private func sequence() -> (Key?, Int)? {
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return nil }
            return (KeyParser.keys[String(Unicode.Scalar(pending[2]))], 3)
        case KeyParser.escape: return (.escape, 1)
        // With the alt key.
        default: return (nil, 2)
        }
    }

    private func controlSequence() -> (Key?, Int)? {
        guard let end = pending.indices.dropFirst(2).first(where: { pending[$0] >= 0x40 }) else { return nil }
        let params = String(decoding: pending[2..<end], as: UTF8.self)
        let final = pending[end]
        let count = end + 1
        if params.hasPrefix("<") {
            return (mouse(params.dropFirst(), isPress: final == UInt8(ascii: "M")), count)
        }
        let number = final == UInt8(ascii: "~") ? String(params.prefix { $0 != ";" }) : ""
        return (KeyParser.keys[number + String(Unicode.Scalar(final))], count)
    }

    private static let keys: [String: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "1~": .home, "3~": .delete,
        "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home, "8~": .end,
    ]

    /// `BUTTON;COLUMN;ROW`, both from 1.
    private func mouse(_ params: Substring, isPress: Bool) -> Key? {
        let numbers = params.split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let (column, row) = (numbers[1] - 1, numbers[2] - 1)
        switch numbers[0] {
        case 0: return .click(column: column, row: row)
        case 64: return .wheel(up: true, column: column, row: row)
        case 65: return .wheel(up: false, column: column, row: row)
        default: return nil
        }
    }
}
