// SPDX-License-Identifier: MIT
// A property that refers to a model without keeping it alive. Independent of observers.

/// A weak property of an ``ObservableModel``. When its target is deinitialised, it becomes nil and notifies its
/// observers.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @WeakPublished var controller: PlaybackController?
/// }
/// ```
///
/// - Threading: as the model's, and the target's.
@propertyWrapper
public struct WeakPublished<Target: ObservableModel> {
    @usableFromInline weak var value: Target?

    /// Creates a property without a target.
    @inlinable
    public init() {}

    /// Creates a property with that target.
    @inlinable
    public init(wrappedValue: Target?) { value = wrappedValue }

    /// Unavailable: only the properties of an ``ObservableModel`` can be published.
    @available(*, unavailable, message: "@WeakPublished is for the properties of an ObservableModel")
    public var wrappedValue: Target? {
        get { fatalError() }
        set { fatalError() }
    }

    /// The property's target.
    public static subscript<Model: ObservableModel>(
        _enclosingInstance model: Model,
        wrapped _: ReferenceWritableKeyPath<Model, Target?>,
        storage storage: ReferenceWritableKeyPath<Model, WeakPublished>
    ) -> Target? {
        @inlinable @inline(__always)
        get {
            let target = model[keyPath: storage].value
            if _slowPath(ObservationGate.isOpen) {
                unsafe read(target, at: address(model, storage), in: model)
            }
            return target
        }
        @inlinable @inline(__always)
        set {
            if _slowPath(model.observationStore.core.isObserved) {
                unsafe assign(newValue, to: address(model, storage), in: model)
            } else {
                model[keyPath: storage].value = newValue
            }
        }
    }

    @usableFromInline
    static func read(
        _ target: Target?,
        at storage: UnsafeMutablePointer<WeakPublished>,
        in model: some ObservableModel
    ) {
        let key = unsafe PropertyKey(storage, in: model)
        model.observationStore.core.read(key, holding: Target.self, of: model)
        // The target's end is an assignment of nil.
        if let target { target.observationStore.core.read(.lifetime, holding: Never.self, of: target) }
    }

    /// Assigns while the model is observed.
    @usableFromInline
    static func assign(
        _ target: Target?,
        to storage: UnsafeMutablePointer<WeakPublished>,
        in model: some ObservableModel
    ) {
        let store = model.observationStore.core
        let key = unsafe PropertyKey(storage, in: model)
        let prior = unsafe storage.pointee.value
        if store.isObservedEarly { store.willAssign(key, isEqual: prior === target) }
        unsafe storage.pointee.value = target
        store.didAssign(key)
        withExtendedLifetime(prior) {}
    }

    /// The address of the property's storage, valid as long as the model is.
    @inlinable @inline(__always)
    static func address<Model: ObservableModel>(
        _ model: Model,
        _ storage: ReferenceWritableKeyPath<Model, WeakPublished>
    ) -> UnsafeMutablePointer<WeakPublished> {
        unsafe withUnsafeMutablePointer(to: &model[keyPath: storage]) { unsafe $0 }
    }
}

extension WeakPublished: PublishedStorage {
    static var valueType: any Any.Type { Target?.self }
    static var isWeak: Bool { true }

    static func value(in model: any ObservableModel, at key: PropertyKey) -> Any {
        unsafe address(in: model, at: key).pointee.value as Any
    }

    static func assign(
        _ value: Any,
        in model: any ObservableModel,
        at key: PropertyKey
    ) throws(PropertyError) {
        guard let target = value as? Target? else { throw mismatch(value) }
        unsafe assign(target, to: address(in: model, at: key), in: model)
    }

    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)? {
        unsafe address(in: model, at: key).pointee.value
    }
}
