// SPDX-License-Identifier: MIT
// All persistent state as text. Independent of the code for persistence.

@testable import ObserveCore

extension ModelTree {
    /// The revision, every model with its identity, type and ordered properties, references, stacks of temporary
    /// values, and bindings.
    var stateDump: String { stateDump() }

    /// The same without the times, or without the connections, at which temporary values expire, or without some bindings.
    func stateDump(
        hasTimes: Bool = true,
        hasOwners: Bool = true,
        bindings: (Binding) -> Bool = { _ in true }
    ) -> String {
        var text = "r\(revision)\n"
        var alive: [(UInt64, ModelID)] = []
        var seen: Set<ModelID> = [records.root]
        var pending = [records.root]
        while let model = pending.popLast() {
            alive.append((records.models[model].instance, model))
            var id = records.models[model].first
            while id != .noRecord {
                for value in [records.properties[id].value]
                    + stack(of: id).filter({ !$0.isWeak }).map(\.value)
                {
                    guard
                        !records.properties[id].isWeak || records.properties[id].flags.contains(.isStacked)
                    else { continue }
                    collect(value, &seen, &pending)
                }
                id = records.properties[id].next
            }
        }
        for (instance, model) in alive.sorted(by: { $0.0 < $1.0 }) {
            let type = records.models[model].type
            text += "#\(instance)"
            if type != .noRecord, model != records.root { text += ":\(typing.types[type].name)" }
            var id = records.models[model].first
            while id != .noRecord {
                text += " \(records.names.text(records.properties[id].name).string)"
                text += records.properties[id].flags.contains(.computed) ? "(computed)=" : "="
                text += dumped(records.properties[id].value, isWeak: records.properties[id].isWeak)
                text += "@\(records.properties[id].revision)"
                if let stack = stacks.byProperty[id] { text += dumped(Array(stack), hasTimes, hasOwners) }
                id = records.properties[id].next
            }
            text += "\n"
        }
        for binding in allBindings where bindings(binding) {
            text +=
                "binding \(binding.number) \(binding.source.escaped) \(binding.target.escaped) \(binding.isTwoWay)\n"
        }
        return text
    }

    private func collect(_ value: StoredValue, _ seen: inout Set<ModelID>, _ pending: inout [ModelID]) {
        switch value {
        case .model(let model): if seen.insert(model).inserted { pending.append(model) }
        case .array(let array): for element in array.elements { collect(element, &seen, &pending) }
        default: return
        }
    }

    private func dumped(_ value: StoredValue, isWeak: Bool) -> String {
        value.described(null: isWeak ? "~null" : "null") {
            "\(isWeak ? "~" : "")#\(records.models[$0].instance)"
        }
    }

    private func dumped(_ stack: [StackedValue], _ hasTimes: Bool, _ hasOwners: Bool) -> String {
        var text = "<"
        for (index, temporaryValue) in stack.enumerated() {
            if index < stack.count - 1 {
                var value = temporaryValue.value
                if temporaryValue.isWeak, let model = value.modelID,
                    records.models[model].instance != temporaryValue.instance
                        || records.models[model].isReleased
                {
                    value = .null
                }
                text += dumped(value, isWeak: temporaryValue.isWeak)
            }
            switch temporaryValue.term {
            case nil: text += "|"
            case .owner(let owner): text += hasOwners ? "/c\(owner)|" : "/|"
            case .time(let end, let milliseconds):
                text += hasTimes ? "/\(end.nanoseconds / 1_000_000):\(milliseconds)|" : "/:\(milliseconds)|"
            }
        }
        return text + ">"
    }
}
