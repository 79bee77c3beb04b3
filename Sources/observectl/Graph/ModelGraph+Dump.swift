// SPDX-License-Identifier: MIT
// A graph of models from the lines of a dump ("dump" in docs/protocol.md), or from ordinary JSON. Independent of connections.

import ObserveCore

extension ModelGraph {
    /// A model as a dump has it: identity, type, a revision, then a name, a value and a revision for each property.
    private static let head = 3

    /// Adds the models of one line of a dump. Several dumps of one daemon make one graph.
    mutating func add(line: [UInt8]) throws(ClientError) {
        let value = try attempt(Value(json: line, maxDepth: Value.depthLimit)) { (error: JSONError) in
            ClientError.malformed("a line of the dump with \(error)")
        }
        if let path = value["path"]?.string { base = Self.parent(of: path) }
        for model in value["m"]?.array ?? [] { try add(model: model) }
        for stack in value["o"]?.array ?? [] { try add(stack: stack) }
        for binding in value["b"]?.array ?? [] {
            guard let number = binding[0]?.int, let source = binding[1]?.string,
                let target = binding[2]?.string, let both = binding[3]?.bool
            else { throw .malformed("a binding without ends in the dump") }
            if bindings.contains(where: { $0.number == number }) { continue }
            bindings.append(Binding(number: number, source: source, target: target, isTwoWay: both))
        }
    }

    private mutating func add(model: Value) throws(ClientError) {
        guard let instance = model[0]?.int.map({ Instance($0) }), let members = model.array,
            members.count >= Self.head, (members.count - Self.head).isMultiple(of: 3)
        else { throw .malformed("a model of an unknown form in the dump") }
        // A long model continues in the next line.
        var made = models[instance] ?? Model()
        made.type = members[1].string ?? made.type
        for position in stride(from: Self.head, to: members.count, by: 3) {
            guard let name = members[position].string
            else { throw .malformed("a property without a name in the dump") }
            made.properties.append(Property(name: name, content: try Self.content(members[position + 1])))
        }
        models[instance] = made
    }

    private mutating func add(stack: Value) throws(ClientError) {
        guard let instance = stack[0]?.int.map({ Instance($0) }), let name = stack[1]?.string,
            let entries = stack[2]?.array
        else { throw .malformed("temporary values of an unknown form in the dump") }
        var layers: [Layer] = []
        for (index, entry) in entries.enumerated() {
            let end: Layer.End
            switch (entry[1]?[0]?.string, entry[1]?[0]?.int) {
            case ("c"?, _): end = .connection
            case (_, let milliseconds?): end = .time(milliseconds)
            default: end = .permanent
            }
            let isShown = index + 1 == entries.count
            // An empty object is a property that was absent, which reads as null.
            let value = entry[0] == [:] ? .null : entry[0] ?? .null
            layers.append(Layer(value: isShown ? nil : try Self.content(value), end: end))
        }
        self.layers[Place(instance: instance, name: name)] = layers
    }

    private static func content(_ value: Value) throws(ClientError) -> Content {
        switch value {
        case .array(let elements): return .list(try elements.map(content))
        case .object(let members):
            if let instance = members["m"]?.int.map({ Instance($0) }) { return .model(instance) }
            if let reference = members["w"] { return .weak(reference.int.map { Instance($0) }) }
            if members["c"] != nil { return .computed(nil) }
            throw .malformed("a value of an unknown form in the dump")
        default: return .scalar(value)
        }
    }

    private static func parent(of path: String) -> String {
        let names = GraphPaths.names(of: path)?.dropLast() ?? []
        return names.isEmpty ? "" : DottedKeyPath.text(of: Array(names))
    }

    /// Adds a root of ordinary JSON: each object in it is a model of its own.
    mutating func add(root name: String, _ value: Value) {
        let content = add(value)
        models[0, default: Model()].properties.append(Property(name: name, content: content))
    }

    private mutating func add(_ value: Value) -> Content {
        switch value {
        case .array(let elements): return .list(elements.map { add($0) })
        case .object(let members):
            // Below those of the daemon.
            let instance = Instance(-Int64(models.count))
            models[instance] = Model()
            for (name, value) in members {
                let content = add(value)
                models[instance]?.properties.append(Property(name: name, content: content))
            }
            return .model(instance)
        default: return .scalar(value)
        }
    }
}
