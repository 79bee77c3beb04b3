// SPDX-License-Identifier: MIT
// The oracle's types and their notation. Independent of a tree.

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

    /// Whether some value of that type, apart from null, may have this one.
    func mayHold(_ found: RefType) -> Bool {
        switch (self, found) {
        case (.optional(let wrapped), _): wrapped.mayHold(found)
        case (_, .optional(let wrapped)): mayHold(wrapped)
        case (.any, _), (_, .any), (.int, .double), (.double, .int): true
        case (.array(let element), .array(let other)): element.mayHold(other)
        default: text == found.text
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

/// A property's declaration.
struct RefDeclared {
    var name = ""
    var type: RefType
    var isWeak = false
    var isReadonly = false
    var initial: Draft?
    var computed: RefTemplate?
}

/// The kind of a model in the oracle.
enum RefModelType {
    case open
    case named(String)
    case dictionary(RefType)
}

/// All declarations of one tree.
struct RefSchema {
    var types: [(name: String, properties: [RefDeclared])] = []
    var roots: [(name: String, type: RefType)] = []

    var hasComputed: Bool { types.contains { $0.properties.contains { $0.computed != nil } } }

    func properties(of type: String) -> [RefDeclared] { types.first { $0.name == type }?.properties ?? [] }

    /// The same types for the tested tree.
    var declarations: TypeDeclarations {
        TypeDeclarations(
            types: types.map { type in TypeDeclaration(type.name, type.properties.map(\.declaration)) },
            roots: roots.map { RootDeclaration($0.name, $0.type.text) }
        )
    }

    /// Declares the same types in the tested tree.
    func declare(in tree: ModelTree) throws {
        if let fault = tree.declare(declarations.types).first { throw fault }
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
