// SPDX-License-Identifier: MIT
// Checks the paths, types and cycles of declared templates. Independent of values.

extension Typing {
    /// Prepares the templates of these types, after all types are declared. Returns their faults.
    mutating func declareComputed(_ declared: [TypeID], in records: inout Records) -> [DeclarationFault] {
        var faults: [DeclarationFault] = []
        var places: [DeclaredPlace] = []
        for type in declared {
            for (position, property) in types[type].properties.enumerated() {
                guard let template = property.template else { continue }
                let place = DeclaredPlace(type: type, position: position)
                for message in mistakes(in: template, property.declared.type, of: type, records) {
                    faults.append(fault(place, message))
                }
                property.computation = Computation(template, as: property.declared.type, in: &records)
                places.append(place)
            }
        }
        return faults + cycles(among: places, records)
    }

    private func fault(_ place: DeclaredPlace, _ message: String) -> DeclarationFault {
        DeclarationFault(place: [types[place.type].name, types[place].text, "computed"], message: message)
    }

    // MARK: Paths and types

    private func mistakes(
        in template: Template,
        _ wanted: ValueType,
        of type: TypeID,
        _ records: borrowing Records
    ) -> [String] {
        var mistakes: [String] = []
        for expression in template.expressions {
            var types: [ValueType] = []
            for path in expression.parsedPaths(records.limits) {
                do throws(TreeError) {
                    types.append(try declaredType(along: path, from: .model(type), in: records))
                } catch {
                    mistakes.append("column \(error.column ?? 1): \(error.message)")
                }
            }
            guard template.single != nil, mistakes.isEmpty else { continue }
            let found = self.types.resultTypes(of: expression, types)
            if !found.isEmpty, !found.contains(where: { self.types.mayHold(wanted, $0) }) {
                let names = found.map { self.types.text(of: $0) }.joined(separator: " or ")
                let expected = "expected \(self.types.text(of: wanted)), and the expression is \(names)"
                mistakes.append("column \(expression.column): \(expected)")
            }
        }
        if template.single == nil, !types.mayHold(wanted, .string) {
            mistakes.append("expected \(types.text(of: wanted)), and a template with text gives a String")
        }
        return mistakes
    }

    // MARK: Cycles

    /// Finds cycles among computed properties, according to the declared types along their paths.
    private func cycles(among places: [DeclaredPlace], _ records: borrowing Records) -> [DeclarationFault] {
        var faults: [DeclarationFault] = []
        var done: Set<DeclaredPlace> = []
        for place in places where !done.contains(place) {
            // The way from the place, and the inputs still to follow at each step of it.
            var way = [place]
            var open = [inputs(of: place, records)]
            while let next = open[open.count - 1].popLast() {
                if let start = way.firstIndex(of: next) {
                    let names = (way[start...] + [next]).map { name($0) }
                    faults.append(fault(way[start], "needs itself: \(names.joined(separator: " → "))"))
                } else if !done.contains(next) {
                    way.append(next)
                    open.append(inputs(of: next, records))
                }
                while let last = way.last, open[open.count - 1].isEmpty, way.count > 1 {
                    done.insert(last)
                    way.removeLast()
                    open.removeLast()
                }
            }
            done.insert(place)
        }
        return faults
    }

    private func name(_ place: DeclaredPlace) -> String {
        DottedKeyPath.text(of: [types[place.type].name, types[place].text])
    }

    private func inputs(of place: DeclaredPlace, _ records: borrowing Records) -> [DeclaredPlace] {
        guard let template = types[place].template else { return [] }
        var search = InputSearch()
        for expression in template.expressions {
            for path in expression.parsedPaths(records.limits) {
                collect(path, from: 0, .model(place.type), records, &search)
            }
        }
        var seen: Set<DeclaredPlace> = []
        return search.found.reversed().filter { seen.insert($0).inserted }
    }

    /// Adds the computed properties on the path to those found. Recursion is as deep as paths may be.
    private func collect(
        _ written: ExpressionPath,
        from component: Int,
        _ type: ValueType,
        _ records: borrowing Records,
        _ search: inout InputSearch
    ) {
        let path = written.parsed
        guard component < path.count, search.begin(written.text, component, type) else { return }
        var behind: [ValueType?] = []
        switch type.wrapped {
        case .array(let element): behind = [element]
        case .model(let model) where path.kind(component) != .name:
            // The operator reads every value of the model, except computed ones.
            behind = types[model].properties.filter { !$0.isComputed }.map(\.declared.type)
            behind.append(types[model].elements)
        case .model(let model):
            let name = records.names.find(path.name(component))
            if let name, let position = types[model].position(of: name),
                types[model].properties[position].template != nil
            {
                search.found.append(DeclaredPlace(type: model, position: position))
            }
            behind = [types[model].declared(name)?.type]
        default: return
        }
        let condition = path.conditionExpression(component)?.parsedPaths(records.limits) ?? []
        for case let next? in behind {
            for path in condition { collect(path, from: 0, next, records, &search) }
            collect(written, from: component + 1, next, records, &search)
        }
    }
}

/// The computed properties that a template reads.
private struct InputSearch {
    private struct Step: Hashable {
        let path: String
        let component: Int
        let type: ValueType
    }

    var found: [DeclaredPlace] = []
    /// Each choice leads to all types of a model's properties, so many ways lead to the same step.
    private var seen: Set<Step> = []

    mutating func begin(_ path: String, _ component: Int, _ type: ValueType) -> Bool {
        seen.insert(Step(path: path, component: component, type: type)).inserted
    }
}

typealias ExpressionPath = (parsed: ParsedKeyPath, text: String, column: Int)

extension Expression {
    /// The key paths in the expression, with their columns, but not the value itself.
    func parsedPaths(_ limits: TreeLimits) -> [ExpressionPath] {
        var rest = conditions[...]
        return paths.compactMap { text, column in
            let path = ParsedKeyPath(maxDepth: limits.maxDepth)
            return (try? path.parse(dotted: text, with: &rest)).map { (path, text, column) }
        }
    }
}
