// SPDX-License-Identifier: MIT
// The store that each observable model has. Independent of the values of its properties.

/// The observers of one model. Each model has a store of its own, as a stored constant.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
/// }
/// ```
///
/// The store is deinitialised with its model, which ends the model's observations. It can't be copied, so only the model has it.
///
/// - Threading: as the model's: one queue, actor or thread at a time.
/// - Cost: 64 bytes while the model is not observed, and 48 more for each property that was ever observed.
@safe public struct ObservationStore: ~Copyable {
    @usableFromInline let core: ObservationCore

    /// Creates the store of a model that is not observed yet.
    public init() { core = ObservationCore() }

    private init(_ tracking: ToolchainTracking) {
        core = ObservationCore()
        core.track(tracking)
    }

    /// Creates the store of a model that the toolchain's `withObservationTracking` and `Observations` see too, beside objects
    /// with `@Observable`.
    ///
    /// ```swift
    /// final class Player: ObservableModel {
    ///     let observationStore = ObservationStore.tracked()
    ///     @Published var videoTitle = ""
    /// }
    /// ```
    ///
    /// An assignment of an equal value or of the same object is not a change there. A weak property's target tells its end if it
    /// is such a model too.
    ///
    /// - Cost: a read and an assignment take about twice as long as those of an object with `@Observable`. While such a model lives,
    ///   a read of any other model takes some nanoseconds more.
    public static func tracked() -> ObservationStore { ObservationStore(ToolchainTracking()) }

    deinit { core.end() }

    /// The number of observations that begin at this model: observers, bindings, publishers and sequences.
    ///
    /// It omits observations of other models that lead through this one.
    public var observations: Int { current.count }

    /// The observations that begin at this model, for developers: what each is, the properties that it depends on, and in debug
    /// builds where it began, as in `observer of Theater.player, Player.title at TheaterView.swift:12`.
    ///
    /// The text is for people; its form may change.
    public var observers: [String] { current.map(\.description) }

    private var current: [Observer] {
        core.endReleased()
        core.endTargetless()
        return core.observers
    }

    /// Ends all observations that begin at this model. They are not notified of that.
    public func removeAll() { for observer in core.observers { observer.cancel() } }
}
