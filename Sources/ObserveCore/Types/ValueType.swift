// SPDX-License-Identifier: MIT
// The types that a declaration may name. Independent of values and of the notation of types.

/// A model type's number in its ``TypeTable``; `noRecord` for a model without a declared type.
typealias TypeID = ID<ModelType>

/// A type in Swift's sense: `String`, `[Player]?`. A dictionary is a model whose properties all have one type.
indirect enum ValueType: Hashable, Sendable {
    case any
    case bool
    case int
    case double
    case string
    case model(TypeID)
    case array(ValueType)
    case optional(ValueType)
    /// A subset of the values of another type: see ``Refinement``.
    case refined(Int32)

    /// Whether the type allows null.
    var isOptional: Bool {
        switch self {
        case .any, .optional: true
        default: false
        }
    }

    var wrapped: ValueType { if case .optional(let wrapped) = self { wrapped } else { self } }

    /// The type with a question mark. JSON has one null, so a second question mark adds nothing.
    var madeOptional: ValueType { if case .optional = self { self } else { .optional(self) } }

    var element: ValueType { if case .array(let element) = wrapped { element } else { .any } }
}

/// A type with some of the values of another type: `Int(0...100)`, or Swift's `Int8` or an enumeration.
struct Refinement {
    let name: String
    let base: ValueType
    /// The value of a place without a given value or a default; nil for that of the base.
    var empty: StoredValue?
    /// The bounds of a range.
    var low: StoredValue?
    var high: StoredValue?
    let accepts: (StoredValue) -> Bool
}

extension Refinement {
    /// The numbers of a type between two bounds, which belong to it: `Int(0...100)`. Nil without a bound, for bounds that the
    /// type does not have, and for a range without numbers.
    init?(_ base: ValueType, from low: StoredValue?, to high: StoredValue?) {
        if low == nil, high == nil { return nil }
        for case .double? in [low, high] where base == .int { return nil }
        // The nearest number to such a bound may lie outside of the range.
        for case .int(let int)? in [low, high] where base == .double && !Numbers.equal(int, Double(int)) {
            return nil
        }
        if let low, let high, high.isLess(than: low) { return nil }
        let zero = base == .int ? StoredValue.int(0) : .double(0)
        var nearest = zero
        if let low, zero.isLess(than: low) { nearest = low }
        if let high, high.isLess(than: zero) { nearest = high }
        if base == .double, case .int(let int) = nearest { nearest = .double(Double(int)) }
        let name = base == .int ? "Int" : "Double"
        self.init(
            name: "\(name)(\(low?.scalar?.json ?? "")...\(high?.scalar?.json ?? ""))",
            base: base,
            empty: nearest,
            low: low,
            high: high
        ) { value in
            if let low, value.isLess(than: low) { return false }
            if let high, high.isLess(than: value) { return false }
            return true
        }
    }

    /// Whether both are ranges that have no number in common.
    func isApart(from other: Refinement) -> Bool {
        if let high, let low = other.low, high.isLess(than: low) { return true }
        if let low, let high = other.high, high.isLess(than: low) { return true }
        return false
    }
}

struct Declared {
    var type: ValueType
    var traits: Traits = []

    struct Traits: OptionSet {
        let rawValue: UInt8
        /// A reference here does not keep its model alive.
        static let weak = Traits(rawValue: 1)
        /// Only the creation of its model sets it; no later write may.
        static let readonly = Traits(rawValue: 2)
        static let computed = Traits(rawValue: 4)
        /// No request may remove it: it is part of its model.
        static let fixed = Traits(rawValue: 8)
    }

    static let anything = Declared(type: .any)

    var isWeak: Bool { traits.contains(.weak) }
    /// Whether the declaration may refuse a value of the same kind as the present one.
    var isChoosy: Bool {
        if case .refined = type.wrapped { true } else { !traits.isDisjoint(with: [.readonly, .computed]) }
    }

    /// Whether the declaration limits values at all.
    var isStrict: Bool { type != .any || !traits.isEmpty }
}

extension ModelRecord {
    /// The declared type; `noRecord` for an open model.
    var type: TypeID {
        @inline(__always) get { TypeID(typeWord) }
        @inline(__always) set { typeWord = newValue.number }
    }
}
