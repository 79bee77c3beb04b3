// SPDX-License-Identifier: MIT
// A tree's models as values, for the oracle of types that change. Independent of the tree's types.

@testable import ObserveCore

/// A value of the graph; models by their numbers.
indirect enum GraphValue: Equatable {
    case absent
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([GraphValue])
    case model(Int)

    var isNull: Bool { self == .null || self == .absent }

    var models: [Int] {
        switch self {
        case .model(let number): [number]
        case .array(let elements): elements.flatMap(\.models)
        default: []
        }
    }
}

/// One value of a property's stack.
struct GraphLayer: Equatable {
    var value: GraphValue
    var isWeak: Bool
}

struct GraphProperty {
    let name: String
    /// The shadowed values, the permanent one first, and the property's own value last.
    var layers: [GraphLayer]
    var isComputed = false
    var isDeclaredWeak = false
}

struct GraphModel {
    /// The name of its type; nil for an open model.
    var type: String?
    var properties: [GraphProperty]

    func index(_ name: String) -> Int? { properties.firstIndex { $0.name == name } }
}

/// All models of a tree, the set of roots first.
struct TreeGraph {
    var models: [GraphModel]

    /// The models that strong references lead to from the roots, each with its number in the order of the walk, and
    /// its properties by name. Weak references to others are null.
    var shape: String {
        var numbers = [0: 0]
        var order = [0]
        var next = 0
        while next < order.count {
            for property in sorted(order[next]) where !property.isComputed {
                for layer in property.layers where !layer.isWeak {
                    for model in layer.value.models where numbers[model] == nil {
                        numbers[model] = order.count
                        order.append(model)
                    }
                }
            }
            next += 1
        }
        var text = ""
        for model in order {
            text += "#\(numbers[model] ?? -1):\(model == 0 ? "" : models[model].type ?? "")"
            for property in sorted(model) {
                text += " \(property.name)"
                text += property.isComputed ? "=computed" : ""
                for layer in property.layers where !property.isComputed {
                    let said = self.text(layer.value, numbers)
                    text += (layer.isWeak && said != "null" ? "~" : "=") + said
                }
            }
            text += "\n"
        }
        return text
    }

    private func sorted(_ model: Int) -> [GraphProperty] {
        models[model].properties.sorted { $0.name < $1.name }
    }

    private func text(_ value: GraphValue, _ numbers: [Int: Int]) -> String {
        switch value {
        case .absent: "absent"
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let int): "\(int)"
        case .double(let double): "\(double)d"
        case .string(let string): "\"\(string)\""
        case .array(let elements): "[" + elements.map { text($0, numbers) }.joined(separator: ",") + "]"
        case .model(let model): numbers[model].map { "#\($0)" } ?? "null"
        }
    }
}

extension TreeGraph {
    /// - Parameter weak: the properties that the types declare weak.
    init(_ tree: ModelTree, weak: (_ type: String, _ property: String) -> Bool) {
        let reader = tree.reader
        let living = tree.records.modelsInUse
        var numbers: [ModelID: Int] = [:]
        for (index, model) in living.enumerated() { numbers[model] = index }
        models = living.map { model in
            let type = reader.typeName(of: model)
            var properties: [GraphProperty] = []
            reader.forEachProperty(of: model) { id in
                let name = reader.name(of: id).string
                var property = GraphProperty(name: name, layers: [])
                property.isDeclaredWeak = type.map { weak($0, name) } ?? false
                property.isComputed = tree.records.properties[id].flags.contains(.computed)
                for layer in tree.stack(of: id).dropLast() {
                    var value = TreeGraph.value(layer.value, numbers)
                    if layer.isWeak, let target = layer.value.modelID,
                        reader.instance(of: target) != layer.instance || !reader.tree.records.isInUse(target)
                    {
                        value = .null
                    }
                    property.layers.append(GraphLayer(value: value, isWeak: layer.isWeak))
                }
                let own = TreeGraph.value(tree.records.properties[id].value, numbers)
                property.layers.append(GraphLayer(value: own, isWeak: tree.records.properties[id].isWeak))
                properties.append(property)
            }
            return GraphModel(type: type, properties: properties)
        }
    }

    private static func value(_ value: StoredValue, _ numbers: [ModelID: Int]) -> GraphValue {
        switch value {
        case .absent: return .absent
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let int): return .int(int)
        case .double(let double): return .double(double)
        case .string, .text:
            var text = ""
            value.withText { text = $0.string }
            return .string(text)
        case .array(let array): return .array(array.elements.map { TreeGraph.value($0, numbers) })
        case .model(let model): return numbers[model].map(GraphValue.model) ?? .null
        }
    }
}
