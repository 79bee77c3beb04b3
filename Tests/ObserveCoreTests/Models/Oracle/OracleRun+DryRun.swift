// SPDX-License-Identifier: MIT
// Dry runs in a run of the oracle: they leave nothing, and say what the same write then changes.

@testable import ObserveCore

/// A dry run of the request that follows, and the properties before it.
struct DryRun {
    let answer: String
    fileprivate let before: [PropertyID: Held]
    /// The models to which strong references led.
    fileprivate let models: Set<ModelID>
}

/// A property's value, and how it renders.
private struct Held {
    let value: StoredValue
    let isWeak: Bool
    let json: String
    let model: ModelID
}

extension OracleRun {
    /// Sends the request with `dryRun`.
    func dryRun(_ request: String, _ actor: FakeClient) -> (run: DryRun, fault: String?) {
        let before = freedState()
        let (held, models) = held
        let answer = actor.ask(request.dropLast(2) + #","dryRun":true}}"#).joined(separator: "\n")
        let run = DryRun(answer: answer, before: held, models: models)
        for (before, after) in zip(before, freedState()) where before != after {
            return (run, "a dry run left something: from \(before) to \(after) by \(request)")
        }
        if hub.clients.timers.next != nil, writes.lifetimes == 0 { return (run, "a dry run left a timer") }
        let faults = writes.chance(10) ? hub.tree.faults() : []
        return (run, faults.isEmpty ? nil : "a dry run: \(faults)")
    }

    /// Compares the dry run with what the request has changed.
    func compare(_ dry: DryRun, with answer: String) -> String? {
        guard let real = (try? Value(json: answer))?["result"] else {
            return dry.answer == answer
                ? nil : "a dry run was refused by \(dry.answer), the write by \(answer)"
        }
        guard let result = (try? Value(json: dry.answer))?["result"], let changes = result["changes"]?.array,
            result["changed"] == real["changed"], result["value"] == real["value"]
        else { return "a dry run: \(dry.answer), and then \(answer)" }
        let after = held.properties
        var expected = 0
        for (id, old) in dry.before where dry.models.contains(old.model) && isThere(id) {
            let new = after[id]
            let differs = new.map { !$0.value.equals(old.value) || $0.isWeak != old.isWeak } ?? true
            if differs { expected += 1 }
        }
        // A model to which no path led before is one change, as a new one is.
        for (id, new) in after where dry.before[id] == nil && dry.models.contains(new.model) && isThere(id) {
            expected += 1
        }
        let count = changes.count + Int(result["furtherChanges"]?.int ?? 0)
        if count != expected { return "\(count) changes, \(expected) expected: \(dry.answer)" }
        for change in changes {
            guard let path = change["path"]?.string else { return "a change without a path" }
            let parsed = ParsedKeyPath(maxDepth: 64)
            guard (try? parsed.parse(dotted: path)) != nil else { return "\(path) is not a path" }
            var id: PropertyID?
            switch hub.tree.walk(parsed) {
            case .property(let found): id = found
            case .missingProperty(let model):
                id = hub.tree.records.names.find(parsed.name(parsed.count - 1)).flatMap {
                    hub.tree.records.property(model, $0)
                }
            default: return "\(path) is not a property"
            }
            let (old, new) = (
                id.flatMap { dry.before[$0]?.json } ?? "null", id.flatMap { after[$0]?.json } ?? "null"
            )
            if change["old"]?.json != old || change["new"]?.json != new {
                return "\(change.json), and not from \(old) to \(new)"
            }
        }
        return nil
    }

    /// Whether the property's model is still in the tree, and has a path of strong references: others are not shown.
    private func isThere(_ id: PropertyID) -> Bool {
        let model = hub.tree.records.properties[id].model
        return model != .noRecord && !hub.tree.records.models[model].isReleased
            && hub.tree.path(of: id) != nil
    }

    /// All properties that a walk from the roots finds, also by weak references: one may lead to a model that only a
    /// shadowed value holds. And the models to which strong references lead.
    private var held: (properties: [PropertyID: Held], models: Set<ModelID>) {
        let tree = hub.tree
        var found: [PropertyID: Held] = [:]
        var seen: Set<ModelID> = [tree.records.root]
        var pending = [tree.records.root]
        while let model = pending.popLast() {
            var id = tree.records.models[model].first
            while id != .noRecord {
                let (value, isWeak) = (tree.records.properties[id].value, tree.records.properties[id].isWeak)
                let json = ByteBuffer()
                _ = tree.render(value, to: json)
                found[id] = Held(value: value, isWeak: isWeak, json: json.string, model: model)
                visit(value) { if seen.insert($0).inserted { pending.append($0) } }
                id = tree.records.properties[id].next
            }
        }
        return (found, seen.filter { tree.hasPath(to: $0) })
    }

    private func visit(_ value: StoredValue, _ body: (ModelID) -> Void) {
        switch value {
        case .model(let model): body(model)
        case .array(let array): for element in array.elements { visit(element, body) }
        default: return
        }
    }
}
