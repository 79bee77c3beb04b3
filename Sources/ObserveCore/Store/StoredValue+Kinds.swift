// SPDX-License-Identifier: MIT
// The numeric order, the kinds, the hashes and the memory of stored values. Independent of their owners.

extension StoredValue {
    var isNumber: Bool { jsonKind.isNumber }

    /// Numeric order without rounding.
    func isLess(than other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.int(let a), .double(let b)): Numbers.compare(a, b) < 0
        case (.double(let a), .int(let b)): Numbers.compare(b, a) > 0
        case (.double(let a), .double(let b)): a < b
        default: false
        }
    }

    private var jsonKind: JSONKind {
        switch self {
        case .absent, .null: .null
        case .bool(let bool): bool ? .true : .false
        case .int: .integer
        case .double: .double
        case .string, .text: .string
        case .array: .array
        case .model: .object
        }
    }

    var kindName: String { jsonKind.name }

    var kindPhrase: String { modelID == nil ? jsonKind.phrase : "a model" }

    /// Whether it is the value of an operator or a selection that would look at too much, or one below it.
    var isExcess: Bool { if case .array(let array) = self { array.isExcess } else { false } }

    /// ``storageBytes``, apart from text in a ``TextPool``.
    var heldBytes: Int { if case .text = self { 0 } else { storageBytes } }

    /// About how many bytes of memory the value takes beyond its own nine, in constant time.
    @inline(__always) var storageBytes: Int {
        switch self {
        case .string(let text): 32 &+ text.room
        case .array(let array): array.byteCount
        case .text(let text): text.blockBytes
        case .absent, .null, .bool, .int, .double, .model: 0
        }
    }

    /// A hash that is equal for equal values. Recursion is as deep as arrays nest, which the tree bounds.
    func hash(seed: UInt64) -> UInt64 {
        switch self {
        case .absent, .null: 0
        case .bool(let bool): bool ? 1 : 2
        case .int(let int): mix(UInt64(bitPattern: int) ^ seed)
        case .double(let double):
            mix((Numbers.exactInt64(double).map { UInt64(bitPattern: $0) } ?? double.bitPattern) ^ seed)
        case .string(let string): string.hash(seed: seed)
        case .text(let text): text.view.hash(seed: seed)
        case .array(let array): array.elements.reduce(seed) { mix($0 ^ $1.hash(seed: seed)) }
        case .model(let id): mix(UInt64(UInt32(bitPattern: id.number)) ^ seed)
        }
    }
}
