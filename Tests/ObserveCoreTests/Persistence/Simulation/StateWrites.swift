// SPDX-License-Identifier: MIT
// Random requests for an existing tree. Independent of their effects.

@testable import ObserveCore

/// Makes random requests, mostly for existing values.
struct StateWrites {
    var random: SeededGenerator
    private static let names = ["a", "b", "c", "list", "w"]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// Makes a path along existing values.
    mutating func path(in tree: ModelTree, toModel: Bool = false) -> String {
        var text = ["r", "s", "t"][below(tree.typing.types.find("Film") == .noRecord ? 2 : 3)]
        guard var value = value(tree.records.root, text, tree) else { return text }
        for _ in 0..<4 {
            if chance(toModel ? 40 : 20) { return text }
            switch value {
            case .model(let model):
                let name = name(in: model, tree)
                guard let next = self.value(model, name, tree) else { return text + "." + name }
                if toModel, next.modelID == nil { return text }
                text += "." + name
                value = next
            case .array(let array):
                let index = below(array.elements.count + 1)
                guard index < array.elements.count else { return text }
                if toModel, array.elements[index].modelID == nil { return text }
                text += ".\(index)"
                value = array.elements[index]
            default: return text
            }
        }
        return text
    }

    private mutating func name(in model: ModelID, _ tree: ModelTree) -> String {
        if chance(35) || tree.records.models[model].count == 0 {
            return StateWrites.names[below(StateWrites.names.count)]
        }
        var id = tree.records.models[model].first
        for _ in 0..<below(Int(tree.records.models[model].count)) { id = tree.records.properties[id].next }
        return tree.records.names.text(tree.records.properties[id].name).string
    }

    private func value(_ model: ModelID, _ name: String, _ tree: ModelTree) -> StoredValue? {
        ByteView.with(name) { tree.records.presentProperty(model, $0) }.map {
            tree.records.properties[$0].value
        }
    }

    mutating func json(_ depth: Int = 2) -> String {
        switch below(depth == 0 ? 5 : 9) {
        case 0: return "null"
        case 1: return "\(below(5))"
        case 2: return "\(below(3)).5"
        case 3: return #""\#(["", "x", "ü\\n\\\"", "long long long text"][below(4)])""#
        case 4: return chance(50) ? "true" : "false"
        case 5, 6:
            var parts: [String] = []
            for _ in 0..<below(4) { parts.append(json(depth - 1)) }
            return "[" + parts.joined(separator: ",") + "]"
        default:
            var parts: [String] = []
            for _ in 0..<below(4) {
                parts.append("\"\(StateWrites.names[below(StateWrites.names.count)])\":\(json(depth - 1))")
            }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    private mutating func write(in tree: ModelTree) -> String {
        let path = path(in: tree)
        let lifetime =
            chance(12) ? (chance(50) ? #","lifetime":"connection""# : #","lifetime":\#(1 + below(40))"#) : ""
        let crowded = tree.modelCount > 20
        switch below(100) {
        case 0..<38:
            return
                #""method":"set","params":{"path":"\#(path)","value":\#(json(crowded ? 0 : 2))\#(lifetime)}"#
        case 38..<46:
            return #""method":"merge","params":{"path":"\#(path)","value":\#(json(crowded ? 1 : 2))}"#
        case 46..<58: return #""method":"remove","params":{"path":"\#(path)"}"#
        case 58..<72:
            let index = chance(50) ? #","index":0"# : ""
            let source =
                chance(30) ? #""target":"\#(self.path(in: tree, toModel: true))""# : #""value":\#(json(1))"#
            return #""method":"insert","params":{"path":"\#(path)",\#(source)\#(index)}"#
        case 72..<78: return #""method":"increment","params":{"path":"\#(path)"}"#
        default:
            let target = self.path(in: tree, toModel: true)
            let weak = chance(45) ? #","weak":true"# : ""
            return #""method":"link","params":{"path":"\#(path)","target":"\#(target)"\#(weak)\#(lifetime)}"#
        }
    }

    /// One request line, without its line feed.
    mutating func request(in tree: ModelTree) -> String {
        switch below(100) {
        case 0..<5:
            return
                #"{"id":1,"method":"set","params":{"path":"\#(["r", "s"][below(2)])","value":{"a":{"list":[{}]}}}}"#
        case 5..<80: return #"{"id":1,\#(write(in: tree))}"#
        case 80..<93:
            var operations: [String] = []
            for _ in 0..<(1 + below(4)) { operations.append("{\(write(in: tree))}") }
            return
                #"{"id":1,"method":"transaction","params":{"operations":[\#(operations.joined(separator: ","))]}}"#
        case 93..<96 where tree.dependents.bindings.byNumber.count < 3:
            let two = chance(40) ? #","twoWay":true"# : ""
            return
                #"{"id":1,"method":"bind","params":{"source":"\#(path(in: tree))","target":"\#(path(in: tree))"\#(two)}}"#
        case 96..<98:
            return
                #"{"id":1,"method":"unbind","params":{"binding":\#(tree.dependents.bindings.byNumber.keys.min() ?? 1)}}"#
        default: return #"{"id":1,"method":"get","params":{"path":"\#(path(in: tree))"}}"#
        }
    }
}
