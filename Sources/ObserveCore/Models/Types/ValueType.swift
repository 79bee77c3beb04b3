// SPDX-License-Identifier: MIT
// What may stand in a place, as a type. Knows nothing of values, nor of how a type is written.

/// A model type's number in its ``TypeTable``; `noRecord` for an open model, which has none.
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
    /// Some values of another type: see ``Refinement``.
    case refined(Int32)

    /// Whether null may stand there.
    var isOptional: Bool {
        switch self {
        case .any, .optional: true
        default: false
        }
    }

    /// The type without its question mark.
    var wrapped: ValueType {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    /// With a question mark. JSON has one null, so a second one says nothing.
    var madeOptional: ValueType {
        if case .optional = self { return self }
        return .optional(self)
    }

    /// What each element of an array of this type is.
    var element: ValueType {
        if case .array(let element) = wrapped { return element }
        return .any
    }
}

/// A Swift type that takes some of the values that a type of ours has: `Int8`, an enumeration.
struct Refinement {
    let name: String
    let base: ValueType
    let accepts: (StoredValue) -> Bool
}

/// What is declared for one place.
struct Declared {
    var type: ValueType
    var traits: Traits = []

    struct Traits: OptionSet {
        let rawValue: UInt8
        /// A reference here keeps nothing alive.
        static let weak = Traits(rawValue: 1)
        /// Given when its model is made, and never again.
        static let readonly = Traits(rawValue: 2)
        static let computed = Traits(rawValue: 4)
        /// It can't be taken away: it is a part of what its model is.
        static let fixed = Traits(rawValue: 8)
    }

    /// Where nothing is declared.
    static let anything = Declared(type: .any)

    var isWeak: Bool { traits.contains(.weak) }
    /// Whether a value that stands there says nothing of others of its kind.
    var isChoosy: Bool {
        if case .refined = type.wrapped { return true }
        return !traits.isDisjoint(with: [.readonly, .computed])
    }

    /// Whether it says more than that anything may stand there.
    var isStrict: Bool { type != .any || !traits.isEmpty }
}
