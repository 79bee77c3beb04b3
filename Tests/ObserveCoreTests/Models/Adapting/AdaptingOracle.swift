// SPDX-License-Identifier: MIT
// What other declared types do to a graph of models, written from the manual alone.

@testable import ObserveCore

/// Adapts a graph to other types, and counts the places that do not fit.
struct AdaptingOracle {
    private(set) var graph: TreeGraph
    let schema: RefSchema
    private(set) var misfits = 0
    /// The new type of each model; nil for open ones.
    private var types: [RefModelType?]
    private var queue: [Int] = []
    private let present: Int
    private var weakened: [(model: Int, property: String, target: Int)] = []
    private var strengthened: [(model: Int, property: String, target: Int)] = []
    private let before: TreeGraph

    init(_ graph: TreeGraph, _ schema: RefSchema) {
        self.graph = graph
        before = graph
        self.schema = schema
        present = graph.models.count
        types = graph.models.map { _ in nil }
    }

    mutating func run() {
        queue = [0]
        for index in 1..<max(present, 1) {
            guard let name = graph.models[index].type, schema.types.contains(where: { $0.name == name })
            else {
                continue
            }
            types[index] = .named(name)
            queue.append(index)
        }
        var next = 0
        while next < queue.count {
            check(queue[next])
            next += 1
        }
        checkReferences()
        for index in 0..<present {
            graph.models[index].type = types[index].flatMap { self.text($0) }
            if types[index] == nil, index > 0 {
                graph.models[index].properties.removeAll(where: \.isComputed)
            }
        }
    }

    private func text(_ type: RefModelType) -> String? {
        switch type {
        case .open: nil
        case .named(let name): name
        case .dictionary(let type): "[String: \(type.text)]"
        }
    }

    private func isSame(_ a: RefModelType, _ b: RefModelType) -> Bool { text(a) == text(b) }

    // MARK: One model

    private mutating func check(_ model: Int) {
        if model == 0 {
            for root in schema.roots where graph.models[0].index(root.name) != nil {
                fit(0, root.name, RefDeclared(name: root.name, type: root.type), isMember: true)
            }
            return
        }
        switch types[model] ?? .open {
        case .open: return
        case .dictionary(let type):
            for property in graph.models[model].properties {
                if property.isComputed {
                    graph.models[model].properties.removeAll { $0.name == property.name }
                } else {
                    fit(model, property.name, RefDeclared(name: property.name, type: type), isMember: true)
                }
            }
        case .named(let name): check(model, schema.properties(of: name))
        }
    }

    private mutating func check(_ model: Int, _ declared: [RefDeclared]) {
        for property in graph.models[model].properties where !property.isComputed {
            let known = declared.first { $0.name == property.name }
            if let known, known.computed == nil {
                fit(model, property.name, known, isMember: false)
                continue
            }
            if !property.layers.allSatisfy(\.value.isNull) { misfits += 1 }
            graph.models[model].properties.removeAll { $0.name == property.name }
        }
        graph.models[model].properties.removeAll(where: \.isComputed)
        for property in declared {
            if property.computed != nil {
                let layers = [GraphLayer(value: .null, isWeak: true)]
                graph.models[model].properties.append(
                    GraphProperty(name: property.name, layers: layers, isComputed: true)
                )
            } else if graph.models[model].index(property.name) == nil {
                if property.initial == nil, case .model = property.type { misfits += 1 }
                let layer = GraphLayer(value: initial(property), isWeak: property.isWeak)
                graph.models[model].properties.append(GraphProperty(name: property.name, layers: [layer]))
            }
        }
    }

    // MARK: One property

    private mutating func fit(_ model: Int, _ name: String, _ declared: RefDeclared, isMember: Bool) {
        guard let index = graph.models[model].index(name) else { return }
        var property = graph.models[model].properties[index]
        for layer in property.layers.indices where property.layers[layer].value != .absent {
            let value = property.layers[layer].value
            let isScalar = if case .model = value { false } else { !value.isNull }
            let fitted = declared.isWeak && isScalar ? nil : convert(value, declared.type)
            guard let fitted else {
                if declared.isWeak, isScalar { misfits += 1 }
                return reset(model, name, declared, isMember: isMember)
            }
            property.layers[layer].value = fitted
            guard case .model(let target) = fitted else { continue }
            let wasWeak = property.layers[layer].isWeak
            let isWeak =
                declared.isWeak || (wasWeak && !property.isDeclaredWeak && declared.type.takesNull)
            property.layers[layer].isWeak = isWeak
            if isWeak, !wasWeak { weakened.append((model, name, target)) }
            if wasWeak, !isWeak { strengthened.append((model, name, target)) }
        }
        if !isMember, property.layers[0].value == .absent {
            property.layers[0] = GraphLayer(value: initial(declared), isWeak: declared.isWeak)
        }
        graph.models[model].properties[index] = property
    }

    private mutating func reset(_ model: Int, _ name: String, _ declared: RefDeclared, isMember: Bool) {
        guard let index = graph.models[model].index(name) else { return }
        if isMember {
            graph.models[model].properties.remove(at: index)
        } else {
            let layer = GraphLayer(value: initial(declared), isWeak: declared.isWeak)
            graph.models[model].properties[index].layers = [layer]
        }
    }

    private mutating func convert(_ value: GraphValue, _ type: RefType) -> GraphValue? {
        switch (type, value) {
        case (.any, _), (.optional, .null), (.bool, .bool), (.string, .string), (.int, .int),
            (.double, .double):
            return value
        case (.optional(let wrapped), _): return convert(value, wrapped)
        case (.int, .double(let double)): if let int = Int64(exactly: double) { return .int(int) }
        case (.double, .int(let int)): if let double = Double(exactly: int) { return .double(double) }
        case (.array(let element), .array(let elements)):
            return .array(elements.compactMap { convert($0, element) })
        case (.model(let name), .model(let model)): if demand(.named(name), model) { return value }
        case (.dictionary(let entry), .model(let model)):
            if demand(.dictionary(entry), model) { return value }
        default: break
        }
        misfits += 1
        return nil
    }

    private mutating func demand(_ type: RefModelType, _ model: Int) -> Bool {
        if let known = types[model] { return isSame(known, type) }
        types[model] = type
        queue.append(model)
        return true
    }

    // MARK: Defaults

    private mutating func initial(_ declared: RefDeclared) -> GraphValue {
        declared.initial.map { build($0, declared.type) } ?? empty(declared.type)
    }

    private mutating func empty(_ type: RefType) -> GraphValue {
        switch type {
        case .any, .optional: .null
        case .bool: .bool(false)
        case .int: .int(0)
        case .double: .double(0)
        case .string: .string("")
        case .array: .array([])
        case .model, .dictionary: build(.object([]), type)
        }
    }

    private mutating func build(_ draft: Draft, _ type: RefType) -> GraphValue {
        switch (type, draft) {
        case (.optional(let wrapped), _): return draft.isNull ? .null : build(draft, wrapped)
        case (.int, .double(let double)): return .int(Int64(double))
        case (.double, .int(let int)): return .double(Double(int))
        case (_, .null): return .null
        case (_, .bool(let bool)): return .bool(bool)
        case (_, .int(let int)): return .int(Int64(int))
        case (_, .double(let double)): return .double(double)
        case (_, .string(let string)): return .string(string)
        case (_, .array(let elements)): return .array(elements.map { build($0, type.element) })
        case (_, .object(let members)): return .model(make(members, type))
        }
    }

    private mutating func make(_ members: [(name: String, value: Draft)], _ type: RefType) -> Int {
        let number = graph.models.count
        graph.models.append(GraphModel(properties: []))
        types.append(nil)
        var properties: [GraphProperty] = []
        if case .model(let name) = type {
            graph.models[number].type = name
            for property in schema.properties(of: name) {
                let given = members.last { $0.name == property.name }
                let value =
                    property.computed != nil
                    ? .null : given.map { build($0.value, property.type) } ?? initial(property)
                let layer = GraphLayer(value: value, isWeak: property.isWeak || property.computed != nil)
                properties.append(
                    GraphProperty(name: property.name, layers: [layer], isComputed: property.computed != nil)
                )
            }
        } else {
            var entry = RefType.any
            if case .dictionary(let type) = type {
                entry = type
                graph.models[number].type = "[String: \(entry.text)]"
            }
            for member in members {
                let layer = GraphLayer(value: build(member.value, entry), isWeak: false)
                properties.removeAll { $0.name == member.name }
                properties.append(GraphProperty(name: member.name, layers: [layer]))
            }
        }
        graph.models[number].properties = properties
        return number
    }

    // MARK: References

    /// The strong references before, as many as there are.
    private func strong(from model: Int, except: (String) -> Bool) -> [Int] {
        before.models[model].properties.filter { !$0.isComputed && !except($0.name) }.flatMap { property in
            property.layers.filter { !$0.isWeak }.flatMap(\.value.models)
        }
    }

    private mutating func checkReferences() {
        var added: [(from: Int, to: Int)] = []
        for reference in strengthened {
            if reaches(reference.model, from: reference.target, added) {
                misfits += 1
                reset(reference)
            } else {
                added.append((reference.model, reference.target))
            }
        }
        for reference in weakened {
            var left = added.count { $0.to == reference.target }
            for model in 0..<present {
                left += strong(from: model) { _ in false }.count { $0 == reference.target }
            }
            left -= weakened.count { $0.target == reference.target }
            if left < 1 {
                misfits += 1
                reset(reference)
            }
        }
    }

    private mutating func reset(_ reference: (model: Int, property: String, target: Int)) {
        switch types[reference.model] ?? .open {
        case .named(let name):
            guard let declared = schema.properties(of: name).first(where: { $0.name == reference.property })
            else { return }
            reset(reference.model, reference.property, declared, isMember: false)
        case .open, .dictionary:
            reset(reference.model, reference.property, RefDeclared(type: .any), isMember: true)
        }
    }

    private func reaches(_ model: Int, from start: Int, _ added: [(from: Int, to: Int)]) -> Bool {
        var seen: Set<Int> = [start]
        var open = [start]
        while let next = open.popLast() {
            if next == model { return true }
            let ends = strong(from: next) { name in
                weakened.contains { $0.model == next && $0.property == name }
            }
            for end in ends + added.filter({ $0.from == next }).map(\.to) where seen.insert(end).inserted {
                open.append(end)
            }
        }
        return false
    }
}

extension Draft {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
