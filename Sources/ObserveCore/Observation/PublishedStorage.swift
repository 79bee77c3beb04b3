// SPDX-License-Identifier: MIT
// Published properties of any type, read and assigned by their place in the model. Independent of names.

/// Why a property could not be assigned by name.
package enum PropertyError: Error, Equatable {
    /// The value is of another type.
    case typeMismatch(expected: String, found: String)
}

/// The storage of a published property, whatever its type.
///
/// - Threading: as the model's. `model` must have the property at `key`, or memory is read as another type.
protocol PublishedStorage: SendableMetatype {
    static var valueType: any Any.Type { get }
    static var isWeak: Bool { get }
    /// The property's value.
    static func value(in model: any ObservableModel, at key: PropertyKey) -> Any
    /// Assigns as the property's setter does.
    static func assign(_ value: Any, in model: any ObservableModel, at key: PropertyKey) throws(PropertyError)
    /// The model it holds, if it does not keep that alive.
    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)?
}

extension PublishedStorage {
    /// The address of the storage.
    static func address(in model: any ObservableModel, at key: PropertyKey) -> UnsafeMutablePointer<Self> {
        let object = unsafe Unmanaged.passUnretained(model as AnyObject).toOpaque()
        return unsafe (object + Int(key.rawValue)).assumingMemoryBound(to: Self.self)
    }

    static var isWeak: Bool { false }

    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)? {
        nil
    }

    static func mismatch(_ value: Any) -> PropertyError {
        .typeMismatch(expected: "\(valueType)", found: "\(type(of: value))")
    }
}
