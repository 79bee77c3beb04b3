// SPDX-License-Identifier: MIT
// Compiled templates of computed properties. Independent of models, and of the order of updates.

/// A template compiled for one tree; all models of a type share it.
final class Computation {
    enum Part {
        /// Text as it appears in a JSON string.
        case text(StoredString)
        /// - Parameter null: the text for null, as it appears in a JSON string.
        case value(CompiledExpression, formats: [ValueFormat], null: StoredString)
    }

    let parts: [Part]
    /// The type of its values; a value of another type becomes null.
    let type: ValueType
    /// The template's expression, if it is nothing else.
    let single: CompiledExpression?

    init(_ template: Template, as type: ValueType, in records: inout Records) {
        var single: CompiledExpression?
        var parts: [Part] = []
        for part in template.parts {
            switch part {
            case .text(let text): parts.append(.text(StoredString.make(text)))
            case .value(let expression, let formats, let null):
                let compiled = records.compiled(expression)
                if template.single != nil { single = compiled }
                // JSON has a text for null.
                let text = StoredString.make(null ?? (formats.contains(.json) ? "null" : ""))
                parts.append(.value(compiled, formats: formats, null: text))
            }
        }
        (self.type, self.parts, self.single) = (type, parts, single)
    }

    /// An expression alone, whose values have any type.
    init(_ single: CompiledExpression) { (type, parts, self.single) = (.any, [], single) }
}
