// SPDX-License-Identifier: MIT
// A hash of values, for operators. Independent of the values' order.

extension StoredValue {
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
        case .array(let array):
            array.elements.reduce(seed) { mix($0 ^ $1.hash(seed: seed)) }
        case .model(let id): mix(UInt64(UInt32(bitPattern: id.number)) ^ seed)
        }
    }
}
