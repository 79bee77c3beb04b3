// SPDX-License-Identifier: MIT
// Announces each change of a model in advance, whichever property it is. Independent of the properties.

/// Announces each assignment of a model before it happens: Combine's `objectWillChange`.
///
/// - Threading: as the model's.
public struct ObjectWillChangePublisher {
    let model: any ObservableModel

    /// Calls `handler` before each assignment of any published property, of an equal value too. The properties still
    /// have their old values then.
    ///
    /// - Returns: Ends the observation when it is released. It does not keep the model alive.
    public func observe(_ handler: @escaping () -> Void) -> ObservationToken {
        let observer = Observer(role: .willChange, options: [], needsCause: false) { _, step in
            guard case .prior = step else { return false }
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
