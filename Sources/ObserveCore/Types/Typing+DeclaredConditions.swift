// SPDX-License-Identifier: MIT
// Checks the key paths in conditions against the declared types of their places. Independent of values.

extension Typing {
    /// Throws if a declared type rules out a property that a condition on the path names.
    /// - Parameters:
    ///   - start: the type of the value at which the path begins.
    ///   - present: the types of the values there now, before each component and after the last one; `noRecord` where a
    ///     value is not a model of a type. Empty if only the declarations count.
    func refuseUnknown(
        inConditionsOf path: ParsedKeyPath,
        from start: ValueType,
        _ present: [TypeID] = [],
        in records: borrowing Records
    ) throws(TreeError) {
        var type = start
        for component in 0..<path.count {
            if !present.isEmpty, present[component] != .noRecord { type = .model(present[component]) }
            type = self.type(of: path, component, in: type, records)
            guard let expression = path.conditionExpression(component) else {
                assert(path.condition(component).isEmpty, "nothing checks the conditions of a known path")
                continue
            }
            if !present.isEmpty, present[component + 1] != .noRecord { type = .model(present[component + 1]) }
            // Nothing below says more.
            if type.wrapped == .any { continue }
            do throws(TreeError) {
                for path in expression.parsedPaths(records.limits) {
                    _ = try declaredType(along: path, from: type, in: records)
                }
            } catch {
                var fault = error.said(as: error.message, at: path.escaped(first: component + 1))
                fault.column = error.column
                throw fault
            }
        }
    }

    /// The declared type along a path of an expression. Throws, with the column, if the types rule out a property in it.
    func declaredType(along path: ExpressionPath, from start: ValueType, in records: borrowing Records)
        throws(TreeError) -> ValueType
    {
        do throws(TreeError) {
            let declared = try declared(along: path.parsed, from: Declared(type: start), in: records)
            try refuseUnknown(inConditionsOf: path.parsed, from: start, in: records)
            return declared.type
        } catch {
            var fault = error
            fault.column = error.column ?? Expression.column(of: error.path, in: path.text, at: path.column)
            throw fault
        }
    }

    private func type(
        of path: ParsedKeyPath,
        _ component: Int,
        in type: ValueType,
        _ records: borrowing Records
    ) -> ValueType {
        switch type.wrapped {
        case .model(let model) where path.kind(component) == .name:
            return types[model].declared(records.names.find(path.name(component)))?.type ?? .any
        case .model(let model): return types[model].elements ?? .any
        case .array(let element): return element
        default: return .any
        }
    }
}
