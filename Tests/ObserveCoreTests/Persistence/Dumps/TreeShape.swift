// SPDX-License-Identifier: MIT
// A tree's text without instance numbers. Independent of the code for dumps.

@testable import ObserveCore

extension ModelTree {
    /// Every model with its type and ordered properties, shared ones once, weak references and bindings. The walk
    /// numbers the models, so that equal trees have equal texts.
    ///
    /// - Parameter skipped: roots to omit.
    func shape(without skipped: Set<String> = []) -> String {
        var numbers: [ModelID: Int] = [records.root: 0]
        var order = [records.root]
        var next = 0
        while next < order.count {
            forEachProperty(of: order[next], skipped) { id in
                if !records.properties[id].isWeak { number(records.properties[id].value, &numbers, &order) }
            }
            next += 1
        }
        var text = ""
        for model in order {
            let type = records.models[model].type
            text += "#\(numbers[model] ?? -1)"
            if type != .noRecord, model != records.root { text += ":\(typing.types[type].name)" }
            forEachProperty(of: model, skipped) { id in
                text += " \(records.names.text(records.properties[id].name).string)"
                let isComputed = records.properties[id].flags.contains(.computed)
                text += isComputed ? "=computed" : records.properties[id].isWeak ? "~" : "="
                if !isComputed {
                    text += records.properties[id].value.described { numbers[$0].map { "#\($0)" } ?? "#gone" }
                }
            }
            text += "\n"
        }
        for binding in allBindings {
            text += "\(binding.source.escaped) \(binding.isTwoWay ? "<->" : "->") \(binding.target.escaped)\n"
        }
        return text
    }

    private func forEachProperty(of model: ModelID, _ skipped: Set<String>, _ body: (PropertyID) -> Void) {
        var id = records.models[model].first
        while id != .noRecord {
            if model != records.root
                || !skipped.contains(records.names.text(records.properties[id].name).string)
            {
                body(id)
            }
            id = records.properties[id].next
        }
    }

    private func number(_ value: StoredValue, _ numbers: inout [ModelID: Int], _ order: inout [ModelID]) {
        switch value {
        case .model(let model) where numbers[model] == nil:
            numbers[model] = order.count
            order.append(model)
        case .array(let array): for element in array.elements { number(element, &numbers, &order) }
        default: return
        }
    }
}
