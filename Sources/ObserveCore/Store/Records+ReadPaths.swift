// SPDX-License-Identifier: MIT
// Interns the paths that dependents read, with their conditions and choices, and compiles expressions over them.

extension Records {
    /// Interns a path, from that component on. ``release(_:)`` releases its names.
    mutating func readPath(_ path: ParsedKeyPath, from first: Int = 0) -> ReadPath {
        var (names, indices): (ContiguousArray<NameID>, ContiguousArray<Int>) = ([], [])
        var selections: [Int: Selection] = [:]
        var call: OperatorCall?
        for index in first..<path.count {
            let isOperator = path.kind(index) == .collectionOperator
            if isOperator || path.isSelection(index), let selection = selection(path, index) {
                selections[names.count] = selection
                names.append(.noRecord)
                indices.append(-1)
            } else if !isOperator {
                names.append(self.names.intern(path.name(index)))
                indices.append(path.name(index).arrayIndex ?? -1)
            } else if let function = CollectionOperator(path.name(index)) {
                let keyPath = (index + 1..<path.count).map { self.names.intern(path.name($0)) }
                call = OperatorCall(function: function, keyPath: keyPath)
            }
            if isOperator { break }
        }
        return ReadPath(names: names, indices: indices, call: call, selections: selections)
    }

    mutating func compiled(_ expression: Expression) -> CompiledExpression {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        var operands: [CompiledExpression.Operand] = []
        var conditions = expression.conditions[...]
        for operand in expression.operands {
            switch operand {
            case .path(""): operands.append(.path(ReadPath(names: [], indices: [], call: nil)))
            case .path(let dotted):
                guard (try? path.parse(dotted: dotted, with: &conditions)) != nil
                else { preconditionFailure("an expression has a path that is none") }
                operands.append(.path(readPath(path)))
            case .literal(let literal): operands.append(.literal(StoredValue(scalar: literal)))
            case .field, .empty: operands.append(.literal(.null))
            }
        }
        return CompiledExpression(expression, operands)
    }

    // MARK: Conditions and choices

    /// Compiles the component; nil if it has neither a condition nor a choice.
    mutating func selection(_ path: ParsedKeyPath, _ index: Int) -> Selection? {
        let text = path.condition(index)
        let condition = text.isEmpty ? nil : condition(text, path.conditionExpression(index))
        switch path.kind(index) {
        case .choice: return Choice(path.name(index)).map { Selection(.choice($0), where: condition) }
        case .collectionOperator:
            guard let function = CollectionOperator(path.name(index)) else { return nil }
            let keyPath = readPath(path, from: index + 1)
            if condition == nil, keyPath.selections.isEmpty {
                release(keyPath)
                return nil
            }
            return Selection(.elements(function, keyPath), where: condition)
        default:
            guard let condition else { return nil }
            let name = names.intern(path.name(index))
            return Selection(.name(name, index: path.name(index).arrayIndex ?? -1), where: condition)
        }
    }

    /// The condition with that text, in brackets, for one more use; `parsed`, if it is parsed already.
    mutating func condition(_ text: ByteView, _ parsed: Expression? = nil) -> SharedCondition {
        let name = names.intern(text)
        if let known = conditions[name] {
            names.release(name)
            known.uses += 1
            return known
        }
        let syntax = ExpressionSyntax(maxDepth: limits.maxDepth).ofConditions
        guard let expression = parsed ?? (try? Expression(parsing: text.slice(1..<text.count - 1), syntax))
        else { preconditionFailure("a condition does not read back") }
        let made = SharedCondition(name, compiled(expression))
        conditions[name] = made
        return made
    }

    mutating func release(_ path: ReadPath) {
        for name in path.names where name != .noRecord { names.release(name) }
        for name in path.call?.keyPath ?? [] { names.release(name) }
        for selection in path.selections.values { release(selection) }
    }

    private mutating func release(_ selection: Selection) {
        switch selection.kind {
        case .name(let name, _): names.release(name)
        case .choice: break
        case .elements(_, let keyPath): release(keyPath)
        }
        if let condition = selection.condition { release(condition) }
    }

    mutating func release(_ condition: SharedCondition) {
        condition.uses -= 1
        guard condition.uses == 0 else { return }
        conditions[condition.text] = nil
        names.release(condition.text)
        release(condition.expression)
    }

    mutating func release(_ expression: CompiledExpression) {
        for case .path(let path) in expression.operands { release(path) }
    }

    /// Whether it is the name of a choice, of a component with a condition, or of an operator over chosen elements.
    func isSelection(named name: NameID) -> Bool {
        let text = names.text(name)
        guard text.byteOrZero(0) == OperatorName.mark, text.count > 1 else { return false }
        return text.firstIndex(of: 0x5B, from: 0) != nil || Choice(text.dropFirst(1)) != nil
    }

    /// Whether the property stands for a selection.
    @inline(__always) func isSelection(_ id: PropertyID) -> Bool {
        properties[id].flags.contains(.computed)
            && names.text(properties[id].name).byteOrZero(0) == OperatorName.mark
    }
}
