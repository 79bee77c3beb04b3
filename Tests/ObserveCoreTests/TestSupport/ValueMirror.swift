// SPDX-License-Identifier: MIT
// A mirror of a value, which applies the value's events. Independent of the tree.

@testable import ObserveCore

/// The value of a client that applies the events of `P.**` in order to the first value.
struct ValueMirror {
    private(set) var value: Value

    init(_ value: Value) { self.value = value }

    /// Applies one event; `names` lead from P to its path. Returns the event's fault, if any.
    mutating func apply(_ names: ArraySlice<String>, kind: String?, index: Int?, new: Value) -> String? {
        ValueMirror.apply(&value, names, kind, index, new)
    }

    private static func apply(
        _ value: inout Value,
        _ names: ArraySlice<String>,
        _ kind: String?,
        _ index: Int?,
        _ new: Value
    ) -> String? {
        guard let name = names.first else { return assign(&value, kind, index, new) }
        switch value {
        case .object(var members):
            var member = members[name] ?? .null
            value = .null
            let fault = apply(&member, names.dropFirst(), kind, index, new)
            members[name] = member
            value = .object(members)
            return fault
        case .array(var elements):
            guard let position = Int(name), elements.indices.contains(position) else {
                return new.isNull ? nil : "an event about element \(name) of \(elements.count)"
            }
            value = .null
            let fault = apply(&elements[position], names.dropFirst(), kind, index, new)
            value = .array(elements)
            return fault
        default: return new.isNull ? nil : "an event about \(name) in \(value)"
        }
    }

    private static func assign(_ value: inout Value, _ kind: String?, _ index: Int?, _ new: Value) -> String?
    {
        guard let kind else {
            value = new
            return nil
        }
        guard case .array(var elements) = value, let index,
            index < elements.count + (kind == "insertion" ? 1 : 0)
        else { return "\(kind) at \(index ?? -1) of \(value)" }
        switch (kind, new.array?.first) {
        case ("insertion", let element?): elements.insert(element, at: index)
        case ("removal", nil): elements.remove(at: index)
        case ("replacement", let element?): elements[index] = element
        default: return "kind \(kind) with \(new)"
        }
        value = .array(elements)
        return nil
    }
}

extension Value {
    /// The value without null members, which equal missing ones.
    var withoutNulls: Value {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNulls))
        case .object(let members):
            .object(
                ValueMembers(members.filter { !$0.value.isNull }.map { ($0.name, $0.value.withoutNulls) })
            )
        default: self
        }
    }
}
