// SPDX-License-Identifier: MIT
// What explains a value, after the oracle's tree: by searching all of it. Independent of the hub.

@testable import ObserveCore

/// What the oracle expects `explain` to answer for a path.
struct ExplainedByOracle {
    private let names: [String]
    private let tree: ReferenceTree
    private let walk: RefWalk
    /// The property at the path's end, or that of the array which the end indexes.
    private var end: (owner: RefModel, name: String, indices: [Int])?
    /// As ``end``, but the property may be absent.
    private var place: (owner: RefModel, name: String, indices: [Int])?

    init(_ names: [String], in tree: ReferenceTree) {
        self.names = names
        self.tree = tree
        walk = tree.walk(names)
        switch tree.place(names) {
        case .property(let owner, let name):
            place = (owner, name, [])
            if owner.index(name) != nil { end = place }
        case .element(let owner, let name, let indices):
            end = (owner, name, indices)
            place = end
        default: end = nil
        }
    }

    /// The first member that differs.
    func difference(from answer: Value, isRemembered: Bool, time: (UInt64) -> Int64) -> String? {
        let expected: [(String, String)] = [
            ("path", quoted(dotted(names[...]))),
            ("revision", "\(tree.revision)"),
            ("value", walk.last.json),
            ("nilAt", walk.broken.map { quoted(dotted(names[...$0])) } ?? "nothing"),
            ("lastChange", lastChange(isRemembered, time)),
        ]
        for (name, text) in expected {
            let found = answer[name]?.json ?? "nothing"
            if found != text { return "\(name): expected \(text), found \(found)" }
        }
        return componentDifference(answer["components"]?.array ?? [])
            ?? lifetimeDifference(answer["lifetimes"]?.array ?? [])
            ?? feedDifference(answer)
    }

    // MARK: The last change

    private func lastChange(_ isRemembered: Bool, _ time: (UInt64) -> Int64) -> String {
        guard let end, let index = end.owner.index(end.name) else { return "null" }
        let property = end.owner.properties[index]
        guard isRemembered, let commit = tree.commits[property.revision] else {
            return #"{"revision":\#(property.revision)}"#
        }
        let text = ByteBuffer()
        text.append(rfc3339: time(commit.time))
        return
            #"{"revision":\#(property.revision),"time":"\#(text.string)","origin":\#(commit.author.json(property.binding))}"#
    }

    // MARK: Components

    private func componentDifference(_ found: [Value]) -> String? {
        guard found.count == names.count else { return "\(found.count) components" }
        for index in names.indices {
            let path = dotted(names[...index])
            if found[index]["path"]?.string != path { return "component \(index): expected \(path)" }
            let model = walk.values[index].model
            if (found[index]["instance"] == nil) != (model == nil) { return "component \(index): instance" }
            if let model, let difference = holderDifference(found[index], model) {
                return "\(path): \(difference)"
            }
        }
        return nil
    }

    /// Compares the number of references, and follows the path of each that is listed.
    private func holderDifference(_ component: Value, _ model: RefModel) -> String? {
        var count = 0
        for owner in [tree.root] + tree.models where tree.hasPath(owner) {
            for property in owner.properties { count += property.value.models.filter { $0 === model }.count }
        }
        guard let holders = component["holders"]?.array, let further = component["furtherHolders"]?.int else {
            return "no holders"
        }
        if holders.count + Int(further) != count { return "expected \(count) holders" }
        if further > 0, holders.count != 16 { return "\(holders.count) of \(count) holders are listed" }
        let paths = holders.compactMap { $0["path"]?.string }
        if Set(paths).count != holders.count { return "a holder is listed twice" }
        for holder in holders {
            let path = ParsedKeyPath(maxDepth: 64)
            guard (try? path.parse(dotted: holder["path"]?.string ?? "")) != nil else {
                return "a holder without a path"
            }
            let names = (0..<path.count).map { path.name($0).string }
            if tree.value(at: names).model !== model { return "\(path.escaped) does not hold it" }
            var isWeak = false
            switch tree.place(names) {
            // The elements of a computed array are as weak as the property.
            case .property(let owner, let name), .element(let owner, let name, _): isWeak = owner.isWeak(name)
            case .missingElement, .broken: break
            }
            if holder["weak"]?.bool != isWeak { return "the strength of \(path.escaped)" }
        }
        return nil
    }

    // MARK: Lifetimes

    private func lifetimeDifference(_ found: [Value]) -> String? {
        guard let end, let stack = end.owner.stacks[end.name] else {
            return found.isEmpty ? nil : "unexpected lifetimes"
        }
        guard found.count == stack.count else { return "expected \(stack.count) lifetimes" }
        for (layer, value) in zip(stack.reversed(), found) {
            var expected = layer.number == stack.last?.number ? end.owner.value(end.name) : shadowed(layer)
            for index in end.indices {
                if case .array(let elements) = expected, index < elements.count {
                    expected = elements[index]
                } else {
                    expected = .absent
                }
            }
            if value["value"]?.json != expected.json { return "expected a lifetime of \(expected.json)" }
            let ends =
                switch layer.term {
                case nil: "\"permanent\""
                case .owner: "\"connection\""
                case .time(let time): "\(time - tree.now)"
                }
            if value["ends"]?.json != ends { return "expected a lifetime until \(ends)" }
            if let author = layer.author, value["origin"]?.json != author.json(nil) {
                return "the origin of a lifetime"
            }
        }
        return nil
    }

    private func shadowed(_ layer: RefTemporaryValue) -> RefValue {
        if layer.isWeak, let model = layer.value.model, !tree.models.contains(where: { $0 === model }) {
            return .null
        }
        return layer.value
    }

    // MARK: Feeds

    private func feedDifference(_ answer: Value) -> String? {
        var (feeds, fedBy): ([String], [String]) = ([], [])
        if case .missingElement = tree.place(names) { return nil }
        if let end = place {
            for binding in tree.bindings {
                let (source, target) = (dotted(binding.source[...]), dotted(binding.target[...]))
                let isSource = isEnd(binding.source, end)
                let isTarget = isEnd(binding.target, end)
                if isOn(binding.source, end) {
                    feeds.append(#"{"binding":\#(binding.number),"path":\#(quoted(target))}"#)
                } else if isTarget, binding.isTwoWay {
                    feeds.append(#"{"binding":\#(binding.number),"path":\#(quoted(source))}"#)
                }
                if isTarget {
                    fedBy.append(#"{"binding":\#(binding.number),"path":\#(quoted(source))}"#)
                } else if isSource, binding.isTwoWay {
                    fedBy.append(#"{"binding":\#(binding.number),"path":\#(quoted(target))}"#)
                }
            }
        } else {
            // Nothing stands there: the paths of the bindings decide.
            for binding in tree.bindings {
                let (source, target) = (dotted(binding.source[...]), dotted(binding.target[...]))
                if binding.source.starts(with: names) {
                    feeds.append(#"{"binding":\#(binding.number),"path":\#(quoted(target))}"#)
                } else if binding.isTwoWay, binding.target == names {
                    feeds.append(#"{"binding":\#(binding.number),"path":\#(quoted(source))}"#)
                }
                if binding.target == names {
                    fedBy.append(#"{"binding":\#(binding.number),"path":\#(quoted(source))}"#)
                } else if binding.isTwoWay, binding.source == names {
                    fedBy.append(#"{"binding":\#(binding.number),"path":\#(quoted(target))}"#)
                }
            }
        }
        for (name, expected) in [("feeds", feeds), ("fedBy", fedBy)] {
            let found = (answer[name]?.array ?? []).filter { $0["binding"] != nil }.map(\.json)
            if found != expected { return "\(name): expected \(expected)" }
        }
        return nil
    }

    /// Whether the path leads through the property or into it.
    private func isOn(_ path: [String], _ end: (owner: RefModel, name: String, indices: [Int])) -> Bool {
        let walk = tree.walk(path)
        return path.indices.contains { walk.owners[$0] === end.owner && path[$0] == end.name }
    }

    /// Whether the path ends at the property, or in its array.
    private func isEnd(_ path: [String], _ end: (owner: RefModel, name: String, indices: [Int])) -> Bool {
        let walk = tree.walk(path)
        guard walk.broken == nil, let last = walk.owners.lastIndex(where: { $0 != nil }) else { return false }
        return walk.owners[last] === end.owner && path[last] == end.name
    }
}

extension ReferenceTree {
    /// Whether strong references that show lead from the roots to the model.
    func hasPath(_ model: RefModel) -> Bool {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
        var pending = [root]
        while let next = pending.popLast() {
            if next === model { return true }
            for property in next.properties where !property.isWeak {
                for inner in property.value.models where seen.insert(ObjectIdentifier(inner)).inserted {
                    pending.append(inner)
                }
            }
        }
        return false
    }
}
