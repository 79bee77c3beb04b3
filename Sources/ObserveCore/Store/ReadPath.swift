// SPDX-License-Identifier: MIT
// Key paths, operators and expressions over them with interned names, as dependents follow them. Data only.

/// A key path as dependents follow it: without wildcards, and with retained names. Without names, the value itself.
final class ReadPath {
    let names: ContiguousArray<NameID>
    /// Each name as an array index, or -1.
    let indices: ContiguousArray<Int>
    let call: OperatorCall?
    /// The conditions and choices, by their components. Few paths have any.
    let selections: [Int: Selection]
    var isSelected: Bool { !selections.isEmpty }
    /// The name at which it begins; nil if it is empty, or begins with a selection.
    var firstName: NameID? { names.first == .noRecord ? nil : names.first }

    init(
        names: ContiguousArray<NameID>,
        indices: ContiguousArray<Int>,
        call: OperatorCall?,
        selections: [Int: Selection] = [:]
    ) {
        self.names = names
        self.indices = indices
        self.call = call
        self.selections = selections
    }
}

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

final class SharedCondition {
    /// Its text, with the brackets.
    let text: NameID
    let expression: CompiledExpression
    /// How many selections have it.
    var uses = 1

    init(_ text: NameID, _ expression: CompiledExpression) {
        self.text = text
        self.expression = expression
    }
}

/// An expression whose paths and literals are those of one tree.
final class CompiledExpression {
    enum Operand {
        case path(ReadPath)
        case literal(StoredValue)
    }

    let expression: Expression
    let operands: [Operand]
    let path: ReadPath?
    /// How many looks at elements an evaluation is worth: five, and its steps, those along its paths included.
    let cost: Int
    /// How many properties its paths lead through.
    let inputs: Int
    /// The names at which its paths begin.
    let firstNames: ContiguousArray<NameID>

    init(_ expression: Expression, _ operands: [Operand]) {
        self.expression = expression
        self.operands = operands
        var (inputs, cost) = (0, 5 + expression.steps.count)
        var firstNames: ContiguousArray<NameID> = []
        for case .path(let path) in operands {
            inputs += path.names.count
            if let first = path.firstName { firstNames.append(first) }
            cost += max(0, path.names.count - 1)
        }
        (self.inputs, self.cost, self.firstNames) = (inputs, cost, firstNames)
        if expression.single != nil, case .path(let path) = operands[0] {
            self.path = path
        } else {
            path = nil
        }
    }
}

/// A collection operator: its function, and the path that it follows in each element.
struct OperatorCall {
    let function: CollectionOperator
    /// Retained names.
    let keyPath: [NameID]

    /// Whether the operator, a minimum or maximum, prefers number `a` to number `b`.
    func prefers(_ a: StoredValue, to b: StoredValue) -> Bool {
        function == .min ? a.isLess(than: b) : b.isLess(than: a)
    }
}
