// SPDX-License-Identifier: MIT
// The declarations of a tree: its types, and the types of its roots, as text that may be invalid. Data only.

package struct RootDeclaration: Equatable, Sendable {
    package let name: String
    /// In Swift's notation.
    package let type: String

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// The declared types of a tree, and those of its roots.
package struct TypeDeclarations: Equatable, Sendable {
    package private(set) var types: [TypeDeclaration] = []
    package private(set) var roots: [RootDeclaration] = []
    /// Whether there can be no other roots.
    package var isClosed: Bool

    package init(types: [TypeDeclaration] = [], roots: [RootDeclaration] = [], isClosed: Bool = false) {
        self.isClosed = isClosed
        add(types)
        for root in roots { add(root) }
    }

    var isEmpty: Bool { types.isEmpty && roots.isEmpty && !isClosed }

    mutating func add(_ added: [TypeDeclaration]) {
        for var type in added {
            // Only faults in the text depend on the form of a declaration.
            for index in type.properties.indices { type.properties[index].isAbbreviated = true }
            types.append(type)
        }
    }

    mutating func add(_ root: RootDeclaration) {
        roots.removeAll { $0.name == root.name }
        roots.append(root)
    }

    func type(_ name: String) -> TypeDeclaration? { types.first { $0.name == name } }

    func root(_ name: String) -> RootDeclaration? { roots.first { $0.name == name } }

    /// The templates that do not parse, a sentence each. Their properties are null.
    func faultyTemplates(_ limits: TreeLimits) -> [String] {
        var sentences: [String] = []
        for type in types {
            for property in type.properties {
                guard let text = property.computed else { continue }
                do throws(ExpressionError) {
                    _ = try Template(parsing: text, ExpressionSyntax(maxDepth: limits.maxDepth))
                } catch {
                    let place = DottedKeyPath.text(of: [type.name, property.name])
                    sentences.append(
                        "\(place) is null until a configuration has another template: \(error.description)"
                    )
                }
            }
        }
        return sentences
    }
}

extension TypeDeclaration {
    func property(_ name: String) -> PropertyDeclaration? { properties.first { $0.name == name } }
}

package struct TypeDeclaration: Equatable, Sendable {
    package var name: String
    package var properties: [PropertyDeclaration]

    package init(_ name: String, _ properties: [PropertyDeclaration]) {
        self.name = name
        self.properties = properties
    }
}

package struct PropertyDeclaration: Equatable, Sendable {
    package var name: String
    /// In Swift's notation, perhaps after `weak` or `readonly`: `weak Player?`.
    package var type: String
    package var isWeak = false
    package var isReadonly = false
    /// The default.
    package var initial: Value?
    /// The template of a computed property.
    package var computed: String?
    /// Whether the declaration is only a type: its faults name the property itself, not its member `type`.
    package var isAbbreviated = true

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

package struct DeclarationFault: Error, Equatable, Sendable {
    /// The names that lead to the fault from the table of types.
    package let place: [String]
    /// One sentence, to follow the place.
    package let message: String
}
