// SPDX-License-Identifier: MIT
// Swift code and clients write to the same models at random. After each step both sides agree.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct HostingRandomTests {
    final class Node: CreatableModel {
        let observationStore = ObservationStore()
        @Published var name = ""
        @Published var count = 0
        @Published var next: Node?
        @Published var items: [Node] = []
        @Published var numbers: [Int] = []
        @WeakPublished var friend: Node?
        init() {}
    }

    /// Seed 48 has weak references to models that a hidden strong one leads to.
    @Test(arguments: Array(seeds(8, usually: 2)) + [48])
    func `both sides agree after each step`(seed: UInt64) throws {
        var run = HostingRun(seed: seed)
        try run.begin()
        for step in 0..<250 {
            run.step()
            let faults = run.faults()
            #expect(faults == [], "seed \(seed), step \(step): \(run.last)")
            if !faults.isEmpty { return }
        }
        run.end()
    }
}

/// One run, which its seed determines.
private struct HostingRun {
    typealias Node = HostingRandomTests.Node

    private var random: SeededGenerator
    private let talk = Conversation([("json", "{}")])
    private let root = Node()
    private var held: [Node] = []
    private var tokens: [ObservationToken] = []
    private(set) var last = ""

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private var hosted: HostedModels { talk.hub.hostedModels(checkThread: {}, didCommit: {}) }

    mutating func begin() throws {
        root.next = Node()
        root.items = [Node(), Node()]
        let other = Node()
        try hosted.host(root, at: "root")
        try hosted.host(other, at: "other")
        // Bindings on both sides, and an assigning observer.
        tokens.append(root.bind(\.name, to: other, at: \.name))
        tokens.append(root.observe(\.next?.count) { [unowned root] in root.numbers = [$0 ?? -1] })
        talk.ask("bind", #"{"source":"root.count","target":"other.count","twoWay":true}"#)
    }

    mutating func step() {
        if Bool.random(using: &random) { assign() } else { write() }
        if Int.random(in: 0..<20, using: &random) == 0 {
            talk.pass(milliseconds: 30)
            last += ", time passes"
        }
    }

    // MARK: Swift

    private func reachable() -> [Node] {
        var seen: [ObjectIdentifier: Node] = [:]
        var pending = [root]
        while let node = pending.popLast() {
            guard seen.updateValue(node, forKey: ObjectIdentifier(node)) == nil else { continue }
            pending += node.items + [node.next, node.friend].compactMap { $0 }
        }
        return hosted.objects.sorted { $0.key < $1.key }.compactMap { $0.value as? Node }
            .filter { seen[ObjectIdentifier($0)] != nil }
    }

    private mutating func assign() {
        let nodes = reachable()
        guard let node = nodes.randomElement(using: &random) else { return }
        let target = Bool.random(using: &random) ? nodes.randomElement(using: &random) : Node()
        let choice = Int.random(in: 0..<12, using: &random)
        last = "Swift \(choice)"
        switch choice {
        case 0: node.name = String(Int.random(in: 0..<3, using: &random))
        case 1: node.count = Int.random(in: 0..<3, using: &random)
        case 2: node.next = target
        case 3: node.next = nil
        case 4: if let target { node.items.append(target) }
        case 5: if !node.items.isEmpty { node.items.removeFirst() }
        case 6: node.friend = target
        case 7:
            transaction {
                node.next = target
                node.name = "both"
                target?.friend = node
            }
        case 8: node.items.shuffle(using: &random)
        case 9:
            if let target { held.append(target) }
            node.friend = target
        case 10: if !held.isEmpty { held.removeFirst() }
        default: node.numbers.append(node.count)
        }
    }

    // MARK: The wire

    private mutating func path() -> String {
        var path = ["root", "root", "other", "json.x"].randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
            path += [".next", ".items.0", ".items.1", ".friend"].randomElement(using: &random) ?? ""
        }
        return path
    }

    private mutating func write() {
        let lifetime = Int.random(in: 0..<8, using: &random) == 0 ? #","lifetime":20"# : ""
        let path = path()
        let (method, params): (String, String) =
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                (
                    "set",
                    #"{"path":"\#(path).count","value":\#(Int.random(in: 0..<3, using: &random))\#(lifetime)}"#
                )
            case 1:
                ("set", #"{"path":"\#(path).next","value":{"name":"new","items":[{"count":1}]}\#(lifetime)}"#)
            case 2: ("set", #"{"path":"\#(path).next","value":null\#(lifetime)}"#)
            case 3: ("insert", #"{"path":"\#(path).items","value":{"name":"item"},"index":0}"#)
            case 4: ("remove", #"{"path":"\#(path).items.0"}"#)
            case 5: ("link", #"{"path":"\#(path).next","target":"\#(self.path())"\#(lifetime)}"#)
            case 6: ("link", #"{"path":"\#(path).friend","target":"\#(self.path())","weak":true}"#)
            case 7: ("link", #"{"path":"json.x","target":"\#(path)"}"#)
            case 8:
                (
                    "merge",
                    #"{"path":"\#(path)","value":{"name":"merged","next":{"count":2},"numbers":[1,2]}}"#
                )
            default:
                (
                    "transaction",
                    #"{"operations":[{"method":"set","params":{"path":"\#(path).name","value":"t"}},"#
                        + #"{"method":"set","params":{"path":"\#(self.path()).items","value":[{},{"name":"t"}]}}]}"#
                )
            }
        last = "\(method) \(params)"
        last += " → " + talk.ask(method, params)
    }

    // MARK: Both

    /// The differences between both sides.
    func faults() -> [String] {
        let (hosted, tree) = (hosted, talk.hub.tree)
        var faults = tree.faults()
        for (model, object) in hosted.objects {
            if hosted.numbers[ObjectIdentifier(object)] != model {
                faults.append("\(model) is known otherwise")
            }
            if tree.records.models[model].strongReferences == 0 {
                faults.append("\(model) is unreferenced")
            }
            guard let known = hosted.hostedClass(of: model) else { continue }
            for (index, property) in known.properties.enumerated() {
                guard let property, let id = tree.records.property(model, property.name) else { continue }
                let slot = HostedModels.Slot(model: model, index: index)
                let value = object.propertyTable.value(ofProperty: index, of: object)
                let name = tree.records.names.text(property.name).string
                if !hosted.isSame(tree.records.properties[id].value, value, slot, property.shape) {
                    faults.append("\(model).\(name) differs")
                }
                guard hosted.hidden.contains(slot) else { continue }
                let isNeeded =
                    property.isWeak
                    ? object.propertyIsOutside(hosted) : name == "items" || hosted.wouldClose(value, slot)
                if !isNeeded { faults.append("\(model).\(name) is hidden without need") }
            }
        }
        for model in ModelID(0)..<ModelID(index: tree.records.models.allocatedCount)
        where tree.records.models[model].instance != 0 {
            let isTyped = tree.records.models[model].type != .noRecord && hosted.hostedClass(of: model) != nil
            if isTyped, tree.records.models[model].strongReferences > 0, hosted.objects[model] == nil,
                hosted.isHeldBySwift(model)
            {
                faults.append("\(model) is not a Swift model")
            }
        }
        return faults
    }

    func end() { for token in tokens { token.cancel() } }
}

extension ObservableModel {
    /// Whether the node's friend is outside all trees.
    fileprivate func propertyIsOutside(_ hosted: HostedModels) -> Bool {
        guard let friend = (self as? HostingRandomTests.Node)?.friend else { return false }
        guard let model = hosted.numbers[ObjectIdentifier(friend)] else { return true }
        return hosted.tree.records.models[model].strongReferences == 0
    }
}

extension HostedModels {
    fileprivate func wouldClose(_ value: Any, _ slot: Slot) -> Bool {
        guard let node = (value as? HostingRandomTests.Node?) ?? nil,
            let model = numbers[ObjectIdentifier(node)]
        else { return false }
        return tree.reaches(model, slot.model, isBounded: false) != false
    }

    /// Whether a Swift model refers to the model.
    fileprivate func isHeldBySwift(_ model: ModelID) -> Bool {
        let holder = tree.records.models[model].holder
        return holder != .noRecord && objects[tree.records.properties[holder].model] != nil
    }
}
