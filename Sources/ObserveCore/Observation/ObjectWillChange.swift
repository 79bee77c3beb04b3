// SPDX-License-Identifier: MIT
// Announces each assignment of a model in advance. Independent of the property.

/// Announces each assignment of a model before it happens: Combine's `objectWillChange`. It keeps nothing alive, so the model's
/// own observers may hold it.
///
/// - Threading: as the model's.
public struct ObjectWillChangePublisher {
    weak var model: (any ObservableModel)?

    /// Calls `handler` before each assignment of a published property, also of an equal value. All properties then
    /// have their old values.
    ///
    /// - Parameters:
    ///   - isolation: The actor to which the model belongs: the caller's.
    ///   - handler: Not called any more once the model has ended.
    /// - Returns: A token that ends the observation when it is released. It does not keep the model alive.
    public func observe(
        isolation: isolated (any Actor)? = #isolation,
        _ handler: @escaping () -> Void
    ) -> ObservationToken {
        ObservationToken(on: isolation) {
            let observer = Observer(role: .willChange, options: [], needsCause: false) { _, step in
                guard case .prior = step else { return false }
                handler()
                return true
            }
            guard let model else {
                observer.cancel()
                return observer
            }
            observer.begin(on: model)
            observer.fix(.objectWillChange, holding: Never.self, of: model)
            return observer
        }
    }

    /// Announces a change of a property without ``Published``.
    @inline(never) public func send() {
        // Not inlined: elsewhere, a read of the store through `any` crashes Swift 6.3's optimiser ("outside of lifetime").
        model?.observationStore.core.willAssign(.objectWillChange, isEqual: false)
    }
}

extension ObservableModel {
    /// Announces each assignment of the model before it happens.
    public var objectWillChange: ObjectWillChangePublisher { ObjectWillChangePublisher(model: self) }
}
