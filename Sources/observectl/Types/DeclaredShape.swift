// SPDX-License-Identifier: MIT
// The declared types in an answer of `describe`, parsed. Independent of their use.

import ObserveCore

/// A type in Swift's notation, as a daemon writes it: `[String: Film]?`.
indirect enum DeclaredShape: Equatable {
    case any, bool, string
    /// With the bounds of its range.
    case number(isWhole: Bool, low: Value?, high: Value?)
    case model(String)
    case array(DeclaredShape)
    case dictionary(DeclaredShape)
    case optional(DeclaredShape)

    init?(_ text: String) {
        if text.hasSuffix("?") {
            guard let wrapped = DeclaredShape(String(text.dropLast())) else { return nil }
            self = .optional(wrapped)
        } else if text.hasPrefix("["), text.hasSuffix("]") {
            let isDictionary = text.hasPrefix("[String: ")
            guard let inside = DeclaredShape(String(text.dropFirst(isDictionary ? 9 : 1).dropLast()))
            else { return nil }
            self = isDictionary ? .dictionary(inside) : .array(inside)
        } else if let range = text.wholeMatch(of: /(Int|Double)(?:\((.*?)\.\.\.(.*?)\))?/) {
            func bound(_ text: Substring?) -> Value? { text.flatMap { try? Value(json: String($0)) } }
            self = .number(isWhole: range.1 == "Int", low: bound(range.2), high: bound(range.3))
        } else {
            switch text {
            case "": return nil
            case "Any": self = .any
            case "Bool": self = .bool
            case "String": self = .string
            default: self = .model(text)
            }
        }
    }

    /// Whether it is a model, which a value without a default must have.
    var isModel: Bool { if case .model = self { true } else { false } }
}

struct DescribedType {
    struct Property {
        let name: String
        let type: String
        let shape: DeclaredShape
        let initial: Value?
        let isWeak: Bool
        let isComputed: Bool
        let isReadonly: Bool
    }

    let name: String
    let properties: [Property]
}

struct DescribedTypes {
    let shape: DeclaredShape
    let types: [DescribedType]

    /// Nil if the answer has another form.
    init?(_ answer: Value) {
        guard let shape = answer["type"]?.string.flatMap(DeclaredShape.init),
            let list = answer["types"]?.array
        else { return nil }
        var types: [DescribedType] = []
        for described in list {
            guard let name = described["name"]?.string, let properties = described["properties"]?.array
            else { return nil }
            let parsed = properties.compactMap(DescribedType.Property.init)
            guard parsed.count == properties.count else { return nil }
            types.append(DescribedType(name: name, properties: parsed))
        }
        (self.shape, self.types) = (shape, types)
    }
}

extension DescribedType.Property {
    fileprivate init?(_ described: Value) {
        guard let name = described["name"]?.string, let type = described["type"]?.string,
            let shape = DeclaredShape(type)
        else { return nil }
        (self.name, self.type, self.shape) = (name, type, shape)
        initial = described["default"]
        isWeak = described["weak"] == .bool(true)
        isComputed = described["computed"] == .bool(true)
        isReadonly = described["readonly"] == .bool(true)
    }
}
