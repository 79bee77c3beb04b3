// SPDX-License-Identifier: MIT
// Declarations as texts. Independent of whether they are valid.

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
    /// In Swift's notation, perhaps after `weak` or `readonly`: `weak Player?`.
    package var type: String
    package var isWeak = false
    package var isReadonly = false
    /// The default.
    package var initial: Value?
    /// The template of a computed property.
    package var computed: String?
    /// Whether the declaration is only a type, so that a fault belongs to the property, not to its member
    /// `type`.
    package var isAbbreviated = true

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A fault in a declaration.
package struct DeclarationFault: Error, Equatable, Sendable {
    /// The names that lead to the fault from the table of types.
    package let place: [String]
    /// One sentence, to follow the place.
    package let message: String
}
