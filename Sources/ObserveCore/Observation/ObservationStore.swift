// SPDX-License-Identifier: MIT
// The store that each observable model has. Independent of the values of its properties.

/// Where a model keeps its observers: one store for each model, as a stored constant.
///
/// ```swift
/// final class Player: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
/// }
/// ```
///
/// The store is deinitialised with its model, which ends the model's observations. It can't be copied, so only the
/// model has it.
///
/// - Threading: as the model's: one queue, actor or thread at a time.
/// - Cost: 48 bytes while the model is not observed. Then as much for each property that was ever observed.
@safe
public struct ObservationStore: ~Copyable {
    @usableFromInline let core: ObservationCore

    /// A store for a model that is not observed yet.
    public init() { core = ObservationCore() }

    deinit { core.end() }
}
