// SPDX-License-Identifier: MIT
// The oracle's values: ordinary objects and arrays, without counts or indexes. Independent of the tested tree.

/// The value of a property or an element in the reference tree.
enum RefValue {
    case absent
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([RefValue])
    case model(RefModel)

    var isContainer: Bool {
        switch self {
        case .array, .model: true
        default: false
        }
    }

    var isNull: Bool {
        switch self {
        case .absent, .null: true
        default: false
        }
    }

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var model: RefModel? { if case .model(let model) = self { model } else { nil } }

    /// "Values" in the protocol: numbers compare by value, strings by scalars, arrays element by element, models by
    /// identity. A missing value reads as null.
    func equals(_ other: RefValue) -> Bool {
        switch (self, other) {
        case (.bool(let a), .bool(let b)): return a == b
        case (.int(let a), .int(let b)): return a == b
        case (.double(let a), .double(let b)): return a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): return Int(exactly: b) == a
        case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
        case (.model(let a), .model(let b)): return a === b
        case (.array(let a), .array(let b)):
            guard a.count == b.count else { return false }
            for index in 0..<a.count where !a[index].equals(b[index]) { return false }
            return true
        default: return isNull && other.isNull
        }
    }

    /// The value as `get` answers it: strong properties inline, without weak ones.
    var json: String {
        switch self {
        case .absent, .null: return "null"
        case .bool(let bool): return bool ? "true" : "false"
        case .int(let int): return String(int)
        case .double(let double): return String(double)
        case .string(let string): return quoted(string)
        case .array(let elements):
            var parts: [String] = []
            for element in elements { parts.append(element.json) }
            return "[\(parts.joined(separator: ","))]"
        case .model(let model):
            var parts: [String] = []
            for property in model.properties where !property.isWeak {
                parts.append("\"\(property.name)\":\(property.value.json)")
            }
            return "{\(parts.joined(separator: ","))}"
        }
    }

    /// The models that it refers to directly.
    var models: [RefModel] {
        switch self {
        case .model(let model): return [model]
        case .array(let elements):
            var found: [RefModel] = []
            for element in elements where element.isContainer { found += element.models }
            return found
        default: return []
        }
    }

    /// Whether it renders as a value equal to `draft`, with members in any order.
    func matches(_ draft: Draft) -> Bool {
        switch (self, draft) {
        case (.model(let model), .object(let members)):
            let strong = model.properties.filter { !$0.isWeak }
            guard strong.count == members.count else { return false }
            return members.allSatisfy { member in
                strong.contains { $0.name == member.name && $0.value.matches(member.value) }
            }
        case (.array(let elements), .array(let drafts)):
            return elements.count == drafts.count && zip(elements, drafts).allSatisfy { $0.matches($1) }
        case (.model, _), (.array, _), (_, .object), (_, .array): return false
        default: return equals(draft.value(at: 0))
        }
    }
}

/// A property present on a model of the reference tree.
struct RefProperty {
    let name: String
    var value: RefValue
    var isWeak = false
    /// The last commit that assigned it, and the binding that did.
    var revision: UInt64
    var binding: Int?
    /// Computed, but not updated yet.
    var isPending = false
}

/// A model of the reference tree, with its properties in the order of their first assignment.
final class RefModel {
    var type = RefModelType.open
    var properties: [RefProperty] = []
    /// The commits that last removed each of its properties.
    var removals: [String: UInt64] = [:]
    /// The stacks of temporary values, by the property's name.
    var stacks: [String: [RefTemporaryValue]] = [:]
    /// The last search that visited the model.
    var mark = 0

    func index(_ name: String) -> Int? {
        for index in 0..<properties.count where properties[index].name == name { return index }
        return nil
    }

    func isWeak(_ name: String) -> Bool { index(name).map { properties[$0].isWeak } ?? false }

    func value(_ name: String) -> RefValue {
        guard let index = index(name) else { return .absent }
        return properties[index].value
    }
}

/// A value to assign: parsed JSON.
indirect enum Draft {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([Draft])
    case object([(name: String, value: Draft)])

    var json: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .int(let int): String(int)
        case .double(let double): String(double)
        case .string(let string): quoted(string)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\"\($0.name)\":\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }

    /// The stored value: each object becomes a new model. Of duplicate names the last wins, in the first's place.
    func value(at revision: UInt64) -> RefValue {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let int): return .int(int)
        case .double(let double): return .double(double)
        case .string(let string): return .string(string)
        case .array(let elements): return .array(elements.map { $0.value(at: revision) })
        case .object(let members):
            let model = RefModel()
            for member in members {
                let value = member.value.value(at: revision)
                if let known = model.index(member.name) {
                    model.properties[known].value = value
                } else {
                    model.properties.append(
                        RefProperty(name: member.name, value: value, revision: revision)
                    )
                }
            }
            return .model(model)
        }
    }
}

/// A path's components in escaped form.
func dotted(_ names: ArraySlice<String>) -> String {
    var text = ""
    for (index, name) in names.enumerated() {
        if index > 0 { text += "." }
        if name.isEmpty { text += "\\e" }
        if [">", "#", "+"].contains(name) || name.utf8.first == 0x40 { text += "\\" }
        for scalar in name.unicodeScalars {
            if [".", "\\", "*", "/", "["].contains(scalar) { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }
    return text
}
