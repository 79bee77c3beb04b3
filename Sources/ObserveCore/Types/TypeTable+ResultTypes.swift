// SPDX-License-Identifier: MIT
// Finds the types that an expression's values may have, by the declared types of its paths. Independent of values.

extension TypeTable {
    /// The types, apart from null, that values of an expression may have whose paths have those types, in their order.
    func resultTypes(of expression: Expression, _ paths: [ValueType]) -> [ValueType] {
        var stack: [[ValueType]] = []
        var rest = paths[...]
        for step in expression.steps {
            switch step {
            case .operand(let index): stack.append(types(of: expression.operands[index], &rest))
            case .apply(let operation):
                let operands = Array(stack.suffix(operation.operandCount))
                stack.removeLast(operands.count)
                stack.append(types(of: operation, operands))
            }
        }
        return stack.last ?? []
    }

    private func types(of operand: Expression.Operand, _ paths: inout ArraySlice<ValueType>) -> [ValueType] {
        switch operand {
        case .path: return [paths.popFirst() ?? .any]
        case .literal(.null): return []
        case .literal(.bool): return [.bool]
        case .literal(.int): return [.int]
        case .literal(.double): return [.double]
        case .literal(.string): return [.string]
        case .literal, .field, .empty: return [.any]
        }
    }

    private func types(of operation: Expression.Operation, _ operands: [[ValueType]]) -> [ValueType] {
        switch operation {
        case _ where operation.givesBool: return [.bool]
        case .fallback: return union(operands[0], operands[1])
        case .choose: return union(operands[1], operands[2])
        case .lower, .upper: return operands[0].contains { mayHold(.string, $0) } ? [.string] : []
        case .len: return [.int]
        case .add:
            return [ValueType.double, .string].filter { type in
                operands.allSatisfy { $0.contains { mayHold(type, $0) } }
            }
        case .min, .max: return operands.joined().contains { mayHold(.double, $0) } ? [.double] : []
        default: return operands.allSatisfy { $0.contains { mayHold(.double, $0) } } ? [.double] : []
        }
    }

    private func union(_ types: [ValueType], _ others: [ValueType]) -> [ValueType] {
        let all = types + others.filter { !types.contains($0) }
        // Many types are like any.
        return all.count > 16 ? [.any] : all
    }

    /// Whether some value of `found`, apart from null, may have the type `wanted`.
    func mayHold(_ wanted: ValueType, _ found: ValueType) -> Bool {
        if case (.refined(let one), .refined(let other)) = (wanted.wrapped, found.wrapped),
            refinements[Int(one)].isApart(from: refinements[Int(other)])
        {
            return false
        }
        return switch (unrefined(wanted.wrapped), unrefined(found.wrapped)) {
        case (.any, _), (_, .any), (.int, .double), (.double, .int): true
        case (.array(let wanted), .array(let found)): mayHold(wanted, found)
        case (.model(let wanted), .model(let found)): isKind(found, of: wanted) || isKind(wanted, of: found)
        case (let wanted, let found): wanted == found
        }
    }
}
