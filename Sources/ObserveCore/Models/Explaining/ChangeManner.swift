// SPDX-License-Identifier: MIT
// How a commit changed a property: by a request, or as a consequence. Independent of the values.

/// How a commit changed a property.
enum ChangeManner: Equatable {
    /// A request assigned it, or its value expired.
    case assigned
    case binding(Int32)
    case computed
    /// A weak reference lost its model.
    case released
}

extension ModelTree {
    /// How a commit changed the property, if that was the cause.
    func manner(of id: PropertyID, _ cause: ChangeCause) -> ChangeManner {
        if records.properties[id].flags.contains(.computed) { return .computed }
        if let number = cause.binding { return .binding(number) }
        return cause == .consequence ? .released : .assigned
    }
}
