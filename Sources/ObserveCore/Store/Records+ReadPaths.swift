// SPDX-License-Identifier: MIT
// Interns the paths that dependents read, and compiles expressions over them.

extension Records {
    /// Interns a path for a dependent to read. ``release(_:)`` releases its names.
    ///
    /// - Parameter first: the component at which it begins.
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
        for operand in expression.operands {
            switch operand {
            case .path(""): operands.append(.path(ReadPath(names: [], indices: [], call: nil)))
            case .path(let dotted):
                guard (try? path.parse(dotted: dotted, isKnown: true)) != nil else {
                    preconditionFailure("an expression has a path that is none")
                }
                operands.append(.path(readPath(path)))
            case .literal(let literal): operands.append(.literal(StoredValue(scalar: literal)))
            case .field, .empty: operands.append(.literal(.null))
            }
        }
        return CompiledExpression(expression, operands)
    }
}
