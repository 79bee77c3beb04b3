// SPDX-License-Identifier: MIT
// The oracle's computed properties, after the protocol: it computes all of them after every write. No dependencies.

@testable import ObserveCore

/// The template of a computed property in the oracle.
struct RefTemplate {
    struct Path {
        let names: [String]
        var observedOperator: (function: CollectionOperator, names: [String])?

        var text: String {
            let isNumber = names[0].utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
            let path = (isNumber ? "\\" : "") + dotted(names[...])
            return observedOperator.map { "\(path).\($0.function.text($0.names))" } ?? path
        }
    }

    enum Part {
        case text(String)
        case path(Path)
        case expression(NaiveExpression, [Path])

        var paths: [Path] {
            switch self {
            case .text: []
            case .path(let path): [path]
            case .expression(_, let paths): paths
            }
        }

        /// The paths that the text names, in its order. An expression need not use all that it was given.
        var namedPaths: [Path] {
            guard case .expression(let expression, let paths) = self else { return paths }
            return expression.pathIndices.map { paths[$0] }
        }
    }

    var parts: [Part]

    var text: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .path(let path): "{\(path.text)}"
            case .expression(let expression, let paths): "{\(expression.text(paths.map(\.text)))}"
            }
        }.joined()
    }
}

extension ReferenceTree {
    /// The property's template, if it is computed.
    func template(_ model: RefModel, _ name: String) -> RefDeclared? {
        guard case .named(let type) = model.type else { return nil }
        return schema.properties(of: type).first { $0.name == name && $0.computed != nil }
    }

    /// Updates the computed properties of all models that the roots reach.
    func recompute() {
        guard schema.hasComputed else { return }
        var known: [Key: RefValue] = [:]
        for model in models {
            for index in model.properties.indices {
                let name = model.properties[index].name
                guard let declared = template(model, name) else { continue }
                let new = computed(declared, of: model, &known)
                store(new, model, index)
            }
        }
    }

    private func store(_ new: RefValue, _ model: RefModel, _ index: Int) {
        let old = model.properties[index].value
        let isPending = model.properties[index].isPending
        model.properties[index].isPending = false
        if old.equals(new) {
            // An equal number may have another text.
            model.properties[index].value = new
            return
        }
        model.properties[index].binding = nil
        if !isPending {
            let marked = mark(model, model.properties[index].name)
            marks[marked].isAssigned = true
            hasChanged = true
            // Its value may be that from before the commit again.
            let isAsBefore = marks[marked].before.equals(new)
            model.properties[index].revision = isAsBefore ? marks[marked].revision : revision + 1
        }
        model.properties[index].value = new
    }

    private struct Key: Hashable {
        let model: ObjectIdentifier
        let name: String
    }

    /// The recursion is as deep as the chain of computed properties, which the declarations bound.
    private func computed(_ declared: RefDeclared, of model: RefModel, _ known: inout [Key: RefValue])
        -> RefValue
    {
        let key = Key(model: ObjectIdentifier(model), name: declared.name)
        if let value = known[key] { return value }
        guard let template = declared.computed else { return .null }
        var value = RefValue.null
        if template.parts.count == 1, let only = self.value(template.parts[0], model, &known) {
            value = only.isNull ? .null : fitting(only, declared.type) ?? .null
        } else {
            var text = ""
            for part in template.parts {
                switch part {
                case .text(let literal): text += literal
                case .path, .expression: text += self.value(part, model, &known)?.inText ?? ""
                }
            }
            value = .string(text)
        }
        known[key] = value
        return value
    }

    /// The value of a part; nil of a text.
    private func value(_ part: RefTemplate.Part, _ model: RefModel, _ known: inout [Key: RefValue])
        -> RefValue?
    {
        let values = part.paths.map { value(.model(model), $0.names, $0.observedOperator, &known) }
        switch part {
        case .text: return nil
        case .path: return values[0]
        case .expression(let expression, _):
            var models: [RefModel] = []
            let inputs = values.map { $0.inJSON(&models) }
            return RefValue(expression.value(inputs), models)
        }
    }

    private func value(
        _ start: RefValue,
        _ names: [String],
        _ observedOperator: (function: CollectionOperator, names: [String])?,
        _ known: inout [Key: RefValue]
    ) -> RefValue {
        var value = start
        for name in names {
            switch value {
            case .model(let model):
                if let declared = template(model, name) {
                    value = computed(declared, of: model, &known)
                } else {
                    value = model.value(name)
                }
            case .array(let elements):
                let index = arrayIndex(name) ?? elements.count
                value = index < elements.count ? elements[index] : .absent
            default: return .null
            }
        }
        guard let observedOperator else { return value }
        // Computes the elements' computed properties first; then the operator reads them like others.
        for element in elements(of: value) { refresh(element, observedOperator.names, &known) }
        return observedOperator.function.value(over: value, observedOperator.names, in: self)
    }

    private func elements(of value: RefValue) -> [RefValue] {
        switch value {
        case .array(let elements): elements
        case .model(let model): model.properties.filter { !$0.isWeak }.map(\.value)
        default: []
        }
    }

    private func refresh(_ element: RefValue, _ names: [String], _ known: inout [Key: RefValue]) {
        var value = element
        for name in names {
            if case .model(let model) = value, let declared = template(model, name),
                let index = model.index(name)
            {
                store(computed(declared, of: model, &known), model, index)
            }
            value = self.value(value, [name])
        }
    }

    // MARK: Existing values

    /// The value as one of that type; nil if it does not fit. A number keeps its value.
    func fitting(_ value: RefValue, _ type: RefType) -> RefValue? {
        switch (type, value) {
        case (.any, _), (.bool, .bool), (.string, .string), (.int, .int), (.double, .double): return value
        case (.optional(let wrapped), _): return value.isNull ? .null : fitting(value, wrapped)
        case (.int, .double(let double)): return Int(exactly: double).map(RefValue.int)
        case (.double, .int(let int)): return Double(exactly: int).map(RefValue.double)
        case (.array(let element), .array(let elements)):
            var fitted: [RefValue] = []
            for value in elements {
                guard let next = fitting(value, element) else { return nil }
                fitted.append(next)
            }
            return .array(fitted)
        case (.model, .model(let model)), (.dictionary, .model(let model)):
            return isOf(type, model) ? value : nil
        default: return nil
        }
    }
}

extension RefValue {
    /// The value as a template shows it.
    fileprivate var inText: String {
        switch self {
        case .absent, .null, .model: ""
        case .string(let string): string
        case .array(let elements): elements.map(\.inText).joined(separator: ", ")
        case .bool, .int, .double: json
        }
    }

    /// The value as JSON, with an object for each model that equals no other model's.
    fileprivate func inJSON(_ models: inout [RefModel]) -> Value {
        switch self {
        case .absent, .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let int): return .int(Int64(int))
        case .double(let double): return .double(double)
        case .string(let string): return .string(string)
        case .array(let elements): return .array(elements.map { $0.inJSON(&models) })
        case .model(let model):
            let index = models.firstIndex { $0 === model } ?? models.count
            if index == models.count { models.append(model) }
            return ["model": .int(Int64(index))]
        }
    }

    fileprivate init(_ json: Value, _ models: [RefModel]) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .int(let int): self = .int(Int(int))
        case .double(let double): self = .double(double)
        case .string(let string): self = .string(string)
        case .array(let elements): self = .array(elements.map { RefValue($0, models) })
        case .object(let members): self = .model(models[Int(members["model"]?.int ?? 0)])
        }
    }
}
