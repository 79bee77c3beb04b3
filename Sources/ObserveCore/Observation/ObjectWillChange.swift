// SPDX-License-Identifier: MIT
// Tells that a model is about to change, whichever property it is. Knows nothing of the properties.

/// Announces each assignment of a model before it happens: Combine's `objectWillChange`.
///
/// - Threading: as the model's.
public struct ObjectWillChangePublisher {
    let model: any ObservableModel

    /// Calls `handler` before each assignment of any published property, of an equal value too. The properties still
    /// have their old values then.
    ///
    /// - Returns: Ends the observation when it goes. The model isn't kept alive by it.
    public func observe(_ handler: @escaping () -> Void) -> ObservationToken {
        let observer = Observer(role: .willChange, options: [], needsCause: false) { _, step in
            guard case .early = step else { return false }
            handler()
            return true
        }
        observer.begin(on: model)
        observer.fix(.objectWillChange, holding: Never.self, of: model)
        return ObservationToken(observer)
    }

    /// Announces a change of something that isn't published.
    @inline(never)
    public func send() {
        // Inlined into another module, reading the store through `any` ends Swift 6.3's optimiser ("outside of lifetime").
        model.observationStore.core.willAssign(.objectWillChange, isEqual: false)
    }
}

extension ObservableModel {
    /// Announces each assignment of the model before it happens.
    public var objectWillChange: ObjectWillChangePublisher { ObjectWillChangePublisher(model: self) }
}
