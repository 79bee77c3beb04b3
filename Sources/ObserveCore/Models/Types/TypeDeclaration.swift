// SPDX-License-Identifier: MIT
// Declarations as somebody wrote them. Knows nothing of whether they make sense.

/// One model type, by the texts of its properties' types.
package struct TypeDeclaration: Equatable, Sendable {
    package var name: String
    package var properties: [PropertyDeclaration]

    package init(_ name: String, _ properties: [PropertyDeclaration]) {
        self.name = name
        self.properties = properties
    }
}

/// One property of a model type.
package struct PropertyDeclaration: Equatable, Sendable {
    package var name: String
    /// In Swift's notation, with `weak` and `readonly` in front if it is either: `weak Player?`.
    package var type: String
    package var isWeak = false
    package var isReadonly = false
    /// What stands there if nothing is given.
    package var initial: Value?
    /// The template of a computed property.
    package var computed: String?
    /// Whether no more than the type was written, so that a fault is the property's and not its member `type`'s.
    package var isAbbreviated = true

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// What is wrong with a declaration.
package struct DeclarationFault: Error, Equatable, Sendable {
    /// The names that lead to it from the table of types.
    package let place: [String]
    /// One sentence, to follow the place.
    package let message: String
}
