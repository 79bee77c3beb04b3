// SPDX-License-Identifier: MIT
// Checks the key paths in conditions against the declared types of their places. Changes nothing.

extension ModelTree {
    /// Throws if a declared type rules out a property that a condition on the path names.
    ///
    /// - Parameter start: the type of the value at which the path begins; nil for the roots. Then the types of the models that
    ///   it leads through now count as well.
    func refuseUnknown(inConditionsOf path: ParsedKeyPath, from start: ValueType? = nil) throws(TreeError) {
        var type = start ?? .any
        var value = start == nil ? StoredValue.model(records.root) : .absent
        var conditions = 0
        for component in 0..<path.count {
            if let model = value.modelID, records.models[model].type != .noRecord {
                type = .model(records.models[model].type)
            }
            type = self.type(of: path, component, in: type)
            value = path.kind(component) == .name ? child(path.name(component), of: value) : .absent
            guard let expression = path.conditionExpression(component) else { continue }
            if let model = value.modelID, records.models[model].type != .noRecord {
                type = .model(records.models[model].type)
            }
            let column = path.conditionColumns.count > conditions ? path.conditionColumns[conditions] : 1
            conditions += 1
            do throws(TreeError) { try refuseUnknown(in: expression, of: type) } catch {
                throw TreeError(
                    kind: error.kind,
                    message: error.message,
                    path: path.escaped(first: component + 1),
                    nearest: error.nearest,
                    column: (error.column ?? 1) + column - 1
                )
            }
        }
    }

    private func refuseUnknown(in expression: Expression, of type: ValueType) throws(TreeError) {
        for (text, column) in expression.paths where !text.isEmpty {
            let path = ParsedKeyPath(maxDepth: limits.maxDepth)
            guard (try? path.parse(dotted: text)) != nil else { continue }
            do throws(TreeError) {
                _ = try declared(along: path, from: Declared(type: type))
            } catch {
                var fault = error
                fault.column = Expression.column(of: error.path, in: text, at: column)
                throw fault
            }
            do throws(TreeError) { try refuseUnknown(inConditionsOf: path, from: type) } catch {
                var fault = error
                fault.column = (error.column ?? 1) + column - 1
                throw fault
            }
        }
    }

    private func type(of path: ParsedKeyPath, _ component: Int, in type: ValueType) -> ValueType {
        switch type.wrapped {
        case .model(let model) where path.kind(component) == .name:
            return typing.types[model].declared(records.names.find(path.name(component)))?.type ?? .any
        case .model(let model): return typing.types[model].elements ?? .any
        case .array(let element): return element
        default: return .any
        }
    }

    private func child(_ name: ByteView, of value: StoredValue) -> StoredValue {
        switch value {
        case .model(let model):
            guard let found = records.presentProperty(model, name) else { return .absent }
            refresh(found)
            return records.properties[found].slot
        case .array(let array): return array.element(name.arrayIndex ?? -1)
        default: return .absent
        }
    }
}
