// SPDX-License-Identifier: MIT
// The range of a declared number: `Int(0...100)`. Independent of the notation.

/// The numbers of a type between two bounds, which belong to it.
struct NumberRange {
    private let base: ValueType
    private let low: StoredValue?
    private let high: StoredValue?

    /// Nil without a bound, for bounds that the type does not have, and for a range without numbers.
    init?(_ base: ValueType, _ low: StoredValue?, _ high: StoredValue?) {
        if low == nil, high == nil { return nil }
        for bound in [low, high].compactMap(\.self) {
            if base == .int, case .double = bound { return nil }
        }
        (self.base, self.low, self.high) = (base, low, high)
        if let low, let high, high.isBelow(low) { return nil }
    }

    var refinement: Refinement {
        Refinement(name: name, base: base, empty: nearestToZero, accepts: contains)
    }

    /// As in a declaration: `Int(0...100)`, `Double(0.5...)`.
    private var name: String {
        "\(base == .int ? "Int" : "Double")(\(low.map(\.numeral) ?? "")...\(high.map(\.numeral) ?? ""))"
    }

    private func contains(_ value: StoredValue) -> Bool {
        if let low, value.isBelow(low) { return false }
        if let high, high.isBelow(value) { return false }
        return true
    }

    private var nearestToZero: StoredValue {
        let zero = base == .int ? StoredValue.int(0) : .double(0)
        let nearest =
            low.flatMap { zero.isBelow($0) ? $0 : nil } ?? high.flatMap { $0.isBelow(zero) ? $0 : nil }
            ?? zero
        if base == .double, case .int(let int) = nearest { return .double(Double(int)) }
        return nearest
    }
}

extension StoredValue {
    /// Whether both are numbers, and this one is less.
    func isBelow(_ other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.int(let a), .double(let b)): Numbers.compare(a, b) < 0
        case (.double(let a), .int(let b)): Numbers.compare(b, a) > 0
        default: false
        }
    }

    fileprivate var numeral: String {
        switch self {
        case .int(let int): "\(int)"
        case .double(let double): Value.double(double).json
        default: ""
        }
    }
}
