// SPDX-License-Identifier: MIT
// A property that refers to a model without keeping it alive. Independent of observers.

/// A weak property of an ``ObservableModel``. When its target is deinitialised, it becomes nil and notifies its observers.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @WeakPublished var controller: PlaybackController?
/// }
/// ```
///
/// The target's type may be a protocol's: `@WeakPublished var player: (any Playing)?`.
///
/// - Bounds: a target is an ``ObservableModel``. Another type or target ends the program.
/// - Threading: as the model's, and the target's.
@propertyWrapper public struct WeakPublished<Target> {
    @usableFromInline weak var object: AnyObject?

    /// Creates a property without a target.
    @inlinable public init() where Target: ObservableModel {}

    /// Creates a property with that target.
    @inlinable public init(wrappedValue: Target?) where Target: ObservableModel { object = wrappedValue }

    /// Creates a property of a protocol's type without a target.
    @inlinable public init() { Self.requireProtocol() }

    /// Creates a property of a protocol's type with that target.
    @inlinable public init(wrappedValue: Target?) {
        Self.requireProtocol()
        object = Self.reference(wrappedValue)
    }

    /// Whether a target is the reference itself, as a class's is. A protocol's has its methods beside it.
    @inlinable static var isReference: Bool {
        @inline(__always) get { MemoryLayout<Target>.size == MemoryLayout<AnyObject>.size }
    }

    @inlinable @inline(__always) static func target(_ object: AnyObject?) -> Target? {
        isReference ? unsafe unsafeBitCast(object, to: Target?.self) : object as? Target
    }

    @inlinable @inline(__always) static func reference(_ target: Target?) -> AnyObject? {
        isReference ? unsafe unsafeBitCast(target, to: AnyObject?.self) : model(target)
    }

    @usableFromInline static func model(_ target: Target?) -> AnyObject? {
        guard let target else { return nil }
        if let model = target as? any ObservableModel { return model }
        fatalError("@WeakPublished refers to models: \(type(of: target as Any)) isn't an ObservableModel")
    }

    @usableFromInline static func requireProtocol() {
        // A generic model's parameter may be a model's class too.
        if isReference, !(Target.self is any ObservableModel.Type) {
            fatalError("@WeakPublished refers to models: \(Target.self) isn't an ObservableModel")
        }
    }

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
        @inlinable @inline(__always) get {
            let target = unsafe target(storageAddress(model, storage).pointee.object)
            if _slowPath(ObservationGate.isOpen) {
                unsafe read(at: storageAddress(model, storage), in: model)
            }
            return target
        }
        @inlinable @inline(__always) set {
            if _slowPath(model.observationStore.core.isObserved) {
                unsafe assign(newValue, to: storageAddress(model, storage), in: model)
            } else {
                model[keyPath: storage].object = reference(newValue)
            }
        }
    }

    @usableFromInline
    static func read(at storage: UnsafeMutablePointer<WeakPublished>, in model: some ObservableModel) {
        let key = unsafe PropertyKey(storage, in: model)
        model.observationStore.core.read(key, holding: Target.self, of: model)
        // The target's end is an assignment of nil.
        if let target = unsafe storage.pointee.object as? any ObservableModel { readLifetime(of: target) }
    }

    private static func readLifetime(of target: some ObservableModel) {
        target.observationStore.core.read(.lifetime, holding: Never.self, of: target)
    }

    /// Assigns while the model is observed.
    @usableFromInline static func assign(
        _ target: Target?,
        to storage: UnsafeMutablePointer<WeakPublished>,
        in model: some ObservableModel
    ) {
        let store = model.observationStore.core
        let key = unsafe PropertyKey(storage, in: model)
        let (prior, next) = unsafe (storage.pointee.object, reference(target))
        if store.isObservedEarly { store.willAssign(key, isEqual: prior === next) }
        unsafe storage.pointee.object = next
        store.didAssign(key)
        withExtendedLifetime(prior) {}
    }
}

extension WeakPublished: PublishedStorage {
    static var valueType: any Any.Type { Target?.self }
    static var isWeak: Bool { true }

    static func value(in model: any ObservableModel, at key: PropertyKey) -> Any {
        unsafe target(address(in: model, at: key).pointee.object) as Any
    }

    static func assign(_ value: Any, in model: any ObservableModel, at key: PropertyKey) -> Bool {
        guard let target = value as? Target? else { return false }
        unsafe assign(target, to: address(in: model, at: key), in: model)
        return true
    }

    static func weakTarget(in model: any ObservableModel, at key: PropertyKey) -> (any ObservableModel)? {
        unsafe address(in: model, at: key).pointee.object as? any ObservableModel
    }
}
