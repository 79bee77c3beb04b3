// SPDX-License-Identifier: MIT
// A property that announces its assignments. Independent of observers.

/// A property of an ``ObservableModel`` that can be observed.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = "Alien"
/// }
/// ```
///
/// Read and assign the property like any other. Unlike Combine's wrapper of the same name, it notifies observers
/// *after* it has changed; ``ObservingOptions/prior`` notifies before. Its projection, `$videoTitle`, is a
/// ``ValuePublisher`` of every assignment.
///
/// - Threading: as the model's. An in-place change must not wait: instead of `await change(&model.items)`, change a copy, and
///   assign that.
/// - Cost: no memory beside the value. While the model is not observed, a read or an assignment takes as long as
///   without the wrapper. An in-place change of a nontrivial value, such as `items[3] = x`, adds a fifth of what `@Observable` adds.
@propertyWrapper public struct Published<Value> {
    @usableFromInline var value: Value

    /// Creates a property with that initial value.
    @inlinable public init(wrappedValue: Value) { value = wrappedValue }

    /// Unavailable: only the properties of an ``ObservableModel`` can be published.
    @available(*, unavailable, message: "@Published is for the properties of an ObservableModel")
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError() }
    }

    /// Unavailable: only the properties of an ``ObservableModel`` can be published.
    @available(*, unavailable, message: "@Published is for the properties of an ObservableModel")
    public var projectedValue: ValuePublisher<Value> {
        get { fatalError() }
        set { fatalError() }
    }

    /// Publishes the property's assignments. ``ValuePublisher/assign(to:)`` alone sets it.
    public static subscript<Model: ObservableModel>(
        _enclosingInstance model: Model,
        projected _: ReferenceWritableKeyPath<Model, ValuePublisher<Value>>,
        storage storage: ReferenceWritableKeyPath<Model, Published>
    ) -> ValuePublisher<Value> {
        @inlinable get {
            let key = unsafe key(storageAddress(model, storage), nil, in: model)
            return ValuePublisher { role, receive, end in
                Observation.values(
                    of: model,
                    assignedTo: key,
                    role: role,
                    equality: Equality(),
                    { read(key, in: $0) },
                    receive,
                    onEnd: end
                )
            }
        }
        @inlinable set {
            guard newValue.isAssigned else { return }
            newValue.observe(keptBy: model) { model, value in
                let address = unsafe storageAddress(model, storage)
                if unsafe Observation.isAgreed(address.pointee.value, value) { return }
                unsafe assign(value, to: address, key(address, nil, in: model), in: model)
            }
        }
    }

    @inlinable static func read(_ key: PropertyKey, in model: some ObservableModel) -> Value {
        let object = unsafe Unmanaged.passUnretained(model).toOpaque()
        let offset = MemoryLayout<Value>.size == 0 ? 0 : Int(key.rawValue)
        return unsafe (object + offset).assumingMemoryBound(to: Published.self).pointee.value
    }

    /// The property's value.
    public static subscript<Model: ObservableModel>(
        _enclosingInstance model: Model,
        wrapped wrapped: ReferenceWritableKeyPath<Model, Value>,
        storage storage: ReferenceWritableKeyPath<Model, Published>
    ) -> Value {
        @inlinable @inline(__always) get {
            if _slowPath(ObservationGate.isOpen) {
                let key = unsafe key(storageAddress(model, storage), wrapped, in: model)
                model.observationStore.core.read(key, holding: Value.self, of: model)
            }
            return model[keyPath: storage].value
        }
        @inlinable @inline(__always) set {
            if _slowPath(model.observationStore.core.isObserved) {
                let address = unsafe storageAddress(model, storage)
                unsafe assign(newValue, to: address, key(address, wrapped, in: model), in: model)
            } else {
                // The former value is released after the access ends: its deinitialiser may run any code.
                var value = newValue
                swap(&model[keyPath: storage].value, &value)
            }
        }
        @inlinable @inline(__always) _modify {
            // With a second `yield`, the compiler would not inline it.
            let isAnnounced = !_isPOD(Value.self) || _slowPath(model.observationStore.core.isObserved)
            var pause: ObservationPause?
            if isAnnounced {
                if _slowPath(model.observationStore.core.isObservedEarly) {
                    willModify(unsafe key(storageAddress(model, storage), wrapped, in: model), in: model)
                }
                pause = ObservationPause()
            }
            defer {
                if isAnnounced {
                    if _slowPath(model.observationStore.core.isObserved) {
                        didModify(unsafe key(storageAddress(model, storage), wrapped, in: model), in: model)
                    }
                    pause?.end()
                }
            }
            yield &model[keyPath: storage].value
        }
    }

    /// Assigns while the model is observed.
    @inlinable @inline(never) static func assign(
        _ newValue: Value,
        to storage: UnsafeMutablePointer<Published>,
        _ key: PropertyKey,
        in model: some ObservableModel
    ) {
        let store = model.observationStore.core
        var value = newValue
        if store.isObservedEarly { unsafe store.willAssign(key, value, inPlaceOf: storage.pointee.value) }
        unsafe swap(&storage.pointee.value, &value)
        store.didAssign(key)
        withExtendedLifetime(value) {}
    }

    @inlinable @inline(never) static func willModify(_ key: PropertyKey, in model: some ObservableModel) {
        model.observationStore.core.willAssign(key, isEqual: false)
    }

    @inlinable @inline(never) static func didModify(_ key: PropertyKey, in model: some ObservableModel) {
        model.observationStore.core.didAssign(key)
    }

    /// The key of the property.
    /// - Parameter wrapped: The property's key path; nil for the projection.
    @inlinable @inline(__always) static func key(
        _ storage: UnsafeMutablePointer<Published>,
        _ wrapped: AnyKeyPath?,
        in model: some ObservableModel
    ) -> PropertyKey {
        if MemoryLayout<Value>.size == 0 { return EmptyProperties.key(Published.self, wrapped, in: model) }
        return unsafe PropertyKey(storage, in: model)
    }
}

extension Published: PublishedStorage {
    static var valueType: any Any.Type { Value.self }

    static func value(in model: any ObservableModel, at key: PropertyKey) -> Any {
        unsafe address(in: model, at: key).pointee.value
    }

    static func assign(_ value: Any, in model: any ObservableModel, at key: PropertyKey) -> Bool {
        guard let fresh = value as? Value else { return false }
        unsafe assign(fresh, to: address(in: model, at: key), key, in: model)
        return true
    }
}

/// A published property is encoded as its value. So a model is `Codable` if it names its properties:
///
/// ```swift
/// final class Film: ObservableModel, Codable {
///     let observationStore = ObservationStore()
///     @Published var title = ""
///     @Published var year: Int?
///     private enum CodingKeys: CodingKey { case title, year }
/// }
/// ```
extension Published: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Published: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws { try self.init(wrappedValue: Value(from: decoder)) }
}

extension KeyedDecodingContainer {
    /// Decodes an optional property, which is nil without the key. The compiler uses it for published properties.
    public func decode<Value: Decodable>(
        _ type: Published<Value?>.Type,
        forKey key: Key
    ) throws -> Published<Value?> { try Published(wrappedValue: decodeIfPresent(Value.self, forKey: key)) }
}
