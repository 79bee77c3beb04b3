// SPDX-License-Identifier: MIT
// Reads and assigns published properties of any type by their offset. Independent of names.

/// The storage of a published property of any type.
/// - Bounds: `model` must have the property at `key`; otherwise its memory is read as another type.
/// - Threading: as the model's.
protocol PublishedStorage: SendableMetatype {
    static var valueType: any Any.Type { get }
    static var isWeak: Bool { get }
    static func value(in model: any ObservableModel, at key: PropertyKey) -> Any
    /// Assigns as the property's setter does. Returns false for a value of another type.
    static func assign(_ value: Any, in model: any ObservableModel, at key: PropertyKey) -> Bool
    /// The target of a weak property; nil for other properties.
    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)?
}

extension PublishedStorage {
    static var isEmpty: Bool { MemoryLayout<Self>.size == 0 }

    /// The address of the storage. That of an empty one is never read.
    static func address(in model: any ObservableModel, at key: PropertyKey) -> UnsafeMutablePointer<Self> {
        let object = unsafe Unmanaged.passUnretained(model as AnyObject).toOpaque()
        return unsafe (object + (isEmpty ? 0 : Int(key.rawValue))).assumingMemoryBound(to: Self.self)
    }

    static var isWeak: Bool { false }

    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)? {
        nil
    }
}

/// The address of a published property's storage, valid as long as the model is.
@inlinable @inline(__always) func storageAddress<Model: ObservableModel, Storage>(
    _ model: Model,
    _ storage: ReferenceWritableKeyPath<Model, Storage>
) -> UnsafeMutablePointer<Storage> {
    unsafe withUnsafeMutablePointer(to: &model[keyPath: storage]) { unsafe $0 }
}
