// SPDX-License-Identifier: MIT
// Conditions and choices of key paths, compiled for one tree, and their state. Data only.

/// A component with a condition, a choice, or an operator over the elements for which a condition is true.
final class Selection {
    enum Kind {
        /// `hall[on]`, with the name as an array index or -1.
        case name(NameID, index: Int)
        /// `@latest[on]`
        case choice(Choice)
        /// `@sum[on].watts`: always the last component.
        case elements(CollectionOperator, ReadPath)
    }

    let kind: Kind
    /// Nil if every element will do.
    let condition: SharedCondition?

    init(_ kind: Kind, where condition: SharedCondition?) {
        self.kind = kind
        self.condition = condition
    }
}

/// A condition that many paths have.
final class SharedCondition {
    /// Its text, with the brackets.
    let text: NameID
    let expression: CompiledExpression
    /// How many selections have it.
    var uses = 0

    init(_ text: NameID, _ expression: CompiledExpression) {
        self.text = text
        self.expression = expression
    }
}

/// The properties that stand for selections on observed paths.
///
/// A selection is a computed property of the model before it, outside of the model's order: `hall[on]` has the template
/// `{hall[on]}`. So all that follows computed properties follows selections. Nothing renders, writes or keeps them.
struct SelectionTable: ~Copyable {
    /// The properties from which a path was unbound. Some may be in use again.
    var unused: [PropertyID] = []
    /// The properties on replayed paths, with their present values; nil for those that the replay made.
    var replayed: [PropertyID: StoredValue?] = [:]
    var isReplaying = false
    /// The revisions of the properties at the replayed revision, if they differ from the present ones. The records keep these,
    /// since the history holds a property up to its revision.
    var revisions: [PropertyID: UInt64] = [:]
    /// How many evaluations the replay still has.
    var replayRoom = 0

    static let mostReplayed = 100_000
}
