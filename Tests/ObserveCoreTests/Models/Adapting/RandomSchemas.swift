// SPDX-License-Identifier: MIT
// Random changes of declared types, and random requests for a tree that has them.

@testable import ObserveCore

extension RefSchema {
    /// The same types without the properties and roots that are faulty.
    var valid: RefSchema {
        var schema = self
        while true {
            let tree = ModelTree()
            let faults = tree.declare(schema.declarations.types)
            for fault in faults {
                guard let type = schema.types.firstIndex(where: { $0.name == fault.place[0] }) else {
                    continue
                }
                schema.types[type].properties.removeAll { $0.name == fault.place[1] }
            }
            if !faults.isEmpty { continue }
            schema.roots.removeAll { root in
                (try? tree.declare(root: root.name, type: root.type.text)) == nil
            }
            return schema
        }
    }
}

extension RandomWrites {
    /// Other types, most of them as before.
    mutating func changed(_ schema: RefSchema) -> RefSchema {
        if chance(6) { return RefSchema() }
        if chance(6) { return self.schema(hasComputed: chance(50)).valid }
        var changed = schema
        for _ in 0...below(4) { change(&changed) }
        return changed.valid
    }

    private mutating func change(_ schema: inout RefSchema) {
        if chance(12) { return changeRoots(&schema) }
        guard !schema.types.isEmpty else { return }
        let type = below(schema.types.count)
        switch below(100) {
        case 0..<6: schema.types.remove(at: type)
        case 6..<10:
            schema.types.append(("N\(below(3))", schema.types[type].properties))
            if schema.types.dropLast().contains(where: { $0.name == schema.types.last?.name }) {
                schema.types.removeLast()
            }
        case 10..<35: addProperty(&schema, type)
        default:
            guard !schema.types[type].properties.isEmpty else { return addProperty(&schema, type) }
            let index = below(schema.types[type].properties.count)
            if chance(15) {
                schema.types[type].properties.remove(at: index)
            } else {
                change(&schema.types[type].properties[index], schema)
            }
        }
    }

    private mutating func addProperty(_ schema: inout RefSchema, _ type: Int) {
        let name = chance(60) ? one(of: ["new", "newer"]) : one(of: names)
        guard !schema.types[type].properties.contains(where: { $0.name == name }) else { return }
        let added = property(name, 3, RefSchema())
        schema.types[type].properties.insert(added, at: below(schema.types[type].properties.count + 1))
    }

    private mutating func change(_ property: inout RefDeclared, _ schema: RefSchema) {
        property.initial = nil
        switch below(12) {
        case 0, 1: property.type = .optional(property.type.wrapped)
        case 2, 3:
            property.type = property.type.wrapped
            if property.isWeak { property.isWeak = false }
        case 4: property.type = .any
        case 5, 6: property.type = property.type.renumbered
        case 7: property.isReadonly.toggle()
        case 8, 9:
            property.isWeak.toggle()
            if property.isWeak, !property.type.isReference {
                property.type = .optional(.model(one(of: RandomWrites.typeNames)))
            }
        case 10: property.computed = nil
        default: property.type = type(2, after: 3)
        }
    }

    private mutating func changeRoots(_ schema: inout RefSchema) {
        if schema.roots.isEmpty || chance(30) {
            schema.roots.removeAll { $0.name == "open" }
            schema.roots.append(("open", type(2, after: -1)))
        } else {
            let index = below(schema.roots.count)
            let root = schema.roots.remove(at: index)
            if chance(70) {
                schema.roots.append((root.name, chance(50) ? .optional(root.type) : root.type.wrapped))
            }
        }
    }

    // MARK: Requests

    /// A request for a random place of the tree.
    mutating func request(in tree: ModelTree, _ schema: RefSchema) -> String {
        let places = tree.modelPaths
        let (path, model) = places[below(places.count)]
        let (name, type) = place(in: model, tree, schema)
        let target = path.isEmpty ? name : "\(path).\(name)"
        let lifetime = chance(12) ? #","lifetime":\#(chance(30) ? "\"connection\"" : "100000")"# : ""
        switch below(100) {
        case 0..<50:
            let draft = fitting(type, tree.modelCount > 40 ? 0 : 3, schema)
            return
                #"{"id":1,"method":"set","params":{"path":"\#(target)","value":\#(draft.json)\#(lifetime)}}"#
        case 50..<75:
            let to = places[below(places.count)].path
            let weak = chance(50) ? #","weak":true"# : ""
            return
                #"{"id":1,"method":"link","params":{"path":"\#(target)","target":"\#(to)"\#(weak)\#(lifetime)}}"#
        case 75..<88:
            let draft = fitting(type.element, 1, schema)
            return #"{"id":1,"method":"insert","params":{"path":"\#(target)","value":\#(draft.json)}}"#
        case 88..<93:
            let to = places[below(places.count)].path
            return #"{"id":1,"method":"insert","params":{"path":"\#(target)","target":"\#(to)"}}"#
        default: return #"{"id":1,"method":"remove","params":{"path":"\#(target)"}}"#
        }
    }

    private mutating func place(in model: ModelID, _ tree: ModelTree, _ schema: RefSchema) -> (
        String, RefType
    ) {
        if model == tree.records.root {
            if !schema.roots.isEmpty, chance(60) {
                let root = schema.roots[below(schema.roots.count)]
                return (root.name, root.type)
            }
            return (chance(50) ? "open" : "free", .any)
        }
        if let type = tree.reader.typeName(of: model) {
            let properties = schema.properties(of: type)
            if !properties.isEmpty {
                let property = properties[below(properties.count)]
                return (property.name, property.type)
            }
        }
        return (one(of: names), .any)
    }
}

extension RefType {
    var wrapped: RefType {
        if case .optional(let wrapped) = self { return wrapped }
        return self
    }

    fileprivate var isReference: Bool {
        switch self {
        case .any, .optional(.any), .optional(.model): true
        default: false
        }
    }

    /// The type with the other kind of numbers.
    fileprivate var renumbered: RefType {
        switch self {
        case .int: .double
        case .double: .int
        case .optional(let type): .optional(type.renumbered)
        case .array(let type): .array(type.renumbered)
        case .dictionary(let type): .dictionary(type.renumbered)
        default: self
        }
    }
}

extension ModelTree {
    /// A path to each model, the empty one to the set of roots.
    var modelPaths: [(path: String, model: ModelID)] {
        var found: [(path: String, model: ModelID)] = [("", records.root)]
        var seen: Set<ModelID> = [records.root]
        var next = 0
        while next < found.count {
            let (path, model) = found[next]
            reader.forEachProperty(of: model) { id in
                let name = reader.name(of: id).string
                collect(records.properties[id].value, path.isEmpty ? name : "\(path).\(name)", &found, &seen)
            }
            next += 1
        }
        return found
    }

    private func collect(
        _ value: StoredValue,
        _ path: String,
        _ found: inout [(path: String, model: ModelID)],
        _ seen: inout Set<ModelID>
    ) {
        switch value {
        case .model(let model): if seen.insert(model).inserted { found.append((path, model)) }
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                collect(element, "\(path).\(index)", &found, &seen)
            }
        default: return
        }
    }
}
