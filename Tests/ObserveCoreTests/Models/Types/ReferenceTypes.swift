// SPDX-License-Identifier: MIT
// The oracle's types: what may be declared, and how it is written. Knows no tree.

@testable import ObserveCore

indirect enum RefType {
    case any
    case bool
    case int
    case double
    case string
    case model(String)
    case dictionary(RefType)
    case array(RefType)
    case optional(RefType)

    var text: String {
        switch self {
        case .any: "Any"
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .model(let name): name
        case .dictionary(let type): "[String: \(type.text)]"
        case .array(let type): "[\(type.text)]"
        case .optional(let type): "\(type.text)?"
        }
    }

    var takesNull: Bool {
        switch self {
        case .any, .optional: true
        default: false
        }
    }

    var element: RefType {
        switch self {
        case .array(let type): type
        case .optional(let type): type.element
        default: .any
        }
    }
}

/// What is declared for one property.
struct RefDeclared {
    var name = ""
    var type: RefType
    var isWeak = false
    var isReadonly = false
    var initial: Draft?
    var computed: RefTemplate?
}

/// What a model of the oracle is.
enum RefModelType {
    case open
    case named(String)
    case dictionary(RefType)
}

/// All that is declared for one tree.
struct RefSchema {
    var types: [(name: String, properties: [RefDeclared])] = []
    var roots: [(name: String, type: RefType)] = []

    var hasComputed: Bool { types.contains { $0.properties.contains { $0.computed != nil } } }

    func properties(of type: String) -> [RefDeclared] { types.first { $0.name == type }?.properties ?? [] }

    /// Declares the same in the tree that is tested.
    func declare(in tree: ModelTree) throws {
        let declarations = types.map { type in
            TypeDeclaration(type.name, type.properties.map(\.declaration))
        }
        if let fault = tree.declare(declarations).first { throw fault }
        for root in roots { try tree.declare(root: root.name, type: root.type.text) }
    }
}

extension RefDeclared {
    fileprivate var declaration: PropertyDeclaration {
        var declaration = PropertyDeclaration(name, type.text)
        declaration.isWeak = isWeak
        declaration.isReadonly = isReadonly
        declaration.computed = computed?.text
        declaration.initial = initial.flatMap { try? Value(json: $0.json, maxDepth: 100) }
        return declaration
    }
}
