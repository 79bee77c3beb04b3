// SPDX-License-Identifier: MIT
// All that must outlive the process, as text. Written without the code that keeps it.

@testable import ObserveCore

extension ModelTree {
    /// The revision, every model with its identity, type and properties in their order, references, what lies below
    /// values, and bindings.
    var stateDump: String {
        var text = "r\(revision)\n"
        var alive: [(UInt64, ModelID)] = []
        var seen: Set<ModelID> = [rootModel]
        var pending = [rootModel]
        while let model = pending.popLast() {
            alive.append((models[model].instance, model))
            var id = models[model].first
            while id != noRecord {
                for value in [properties[id].value] + (temporaryValues[id] ?? []).filter({ !$0.isWeak }).map(\.value)
                {
                    guard !properties[id].isWeak || properties[id].flags.contains(.isTemporary) else { continue }
                    collect(value, &seen, &pending)
                }
                id = properties[id].next
            }
        }
        for (instance, model) in alive.sorted(by: { $0.0 < $1.0 }) {
            let type = models[model].type
            text += "#\(instance)"
            if type != noRecord, model != rootModel { text += ":\(types[type].name)" }
            var id = models[model].first
            while id != noRecord {
                text += " \(names.text(properties[id].name).string)"
                text += properties[id].flags.contains(.computed) ? "(computed)=" : "="
                text += dumped(properties[id].value, isWeak: properties[id].isWeak)
                text += "@\(properties[id].flags.contains(.computed) ? 0 : properties[id].revision)"
                if let stack = temporaryValues[id] { text += dumped(stack) }
                id = properties[id].next
            }
            text += "\n"
        }
        for binding in allBindings {
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
        switch value {
        case .absent: return "absent"
        case .null: return isWeak ? "~null" : "null"
        case .bool(let bool): return "\(bool)"
        case .int(let int): return "\(int)"
        case .double(let double): return "\(double)d"
        case .text: return dumped(value.kept, isWeak: isWeak)
        case .string(let string):
            let out = ByteBuffer()
            string.write(to: out)
            return out.string
        case .array(let array):
            return "[" + array.elements.map { dumped($0, isWeak: isWeak) }.joined(separator: ",") + "]"
        case .model(let model): return "\(isWeak ? "~" : "")#\(models[model].instance)"
        }
    }

    private func dumped(_ stack: [TemporaryValue]) -> String {
        var text = "<"
        for (index, temporaryValue) in stack.enumerated() {
            if index < stack.count - 1 {
                var value = temporaryValue.value
                if temporaryValue.isWeak, let model = value.modelID,
                    models[model].instance != temporaryValue.instance || models[model].isReleased
                {
                    value = .null
                }
                text += dumped(value, isWeak: temporaryValue.isWeak)
            }
            switch temporaryValue.term {
            case nil: text += "|"
            case .owner(let owner): text += "/c\(owner)|"
            case .time(let end, let milliseconds): text += "/\(end.nanoseconds / 1_000_000):\(milliseconds)|"
            }
        }
        return text + ">"
    }
}
