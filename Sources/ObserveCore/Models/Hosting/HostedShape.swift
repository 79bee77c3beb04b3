// SPDX-License-Identifier: MIT
// The Swift types that a tree can show, and their scalars as stored values. Independent of assignments.

indirect enum HostedShape {
    case scalar(any ModelValue.Type)
    case model(any ObservableModel.Type)
    case optional(any OptionalType.Type, HostedShape)
    case array(any ArrayType.Type, HostedShape)

    /// Nil for a type that a tree can't show.
    init?(_ type: any Any.Type) {
        if let optional = type as? any OptionalType.Type {
            guard let wrapped = HostedShape(optional.wrappedType) else { return nil }
            self = .optional(optional, wrapped)
        } else if let array = type as? any ArrayType.Type {
            guard let element = HostedShape(array.elementType) else { return nil }
            self = .array(array, element)
        } else if let model = type as? any ObservableModel.Type {
            self = .model(model)
        } else if let scalar = type as? any ModelValue.Type, scalar.modelValueKind != .any {
            self = .scalar(scalar)
        } else {
            return nil
        }
    }

    var modelType: (any ObservableModel.Type)? {
        switch self {
        case .scalar: nil
        case .model(let type): type
        case .optional(_, let inner), .array(_, let inner): inner.modelType
        }
    }
}

protocol OptionalType {
    static var wrappedType: any Any.Type { get }
    static func unwrap(_ value: Any) -> Any?
    /// An optional; nil if `wrapped` is of another type.
    static func wrap(_ wrapped: Any?) -> Any?
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }

    static func unwrap(_ value: Any) -> Any? {
        guard let optional = value as? Wrapped? else { return nil }
        return optional.map { $0 as Any }
    }

    static func wrap(_ wrapped: Any?) -> Any? {
        guard let wrapped else { return Wrapped?.none as Any }
        guard let typed = wrapped as? Wrapped else { return nil }
        return Wrapped?.some(typed) as Any
    }
}

protocol ArrayType {
    static var elementType: any Any.Type { get }
    static func elements(_ value: Any) -> [Any]
    /// An array; nil if an element is of another type.
    static func make(_ elements: [Any]) -> Any?
}

extension Array: ArrayType {
    static var elementType: any Any.Type { Element.self }

    static func elements(_ value: Any) -> [Any] { (value as? [Element])?.map { $0 as Any } ?? [] }

    static func make(_ elements: [Any]) -> Any? { elements as? [Element] }
}
