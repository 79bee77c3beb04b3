// SPDX-License-Identifier: MIT
// Classes whose properties can be observed. Independent of trees and the wire.

/// A class whose ``Published`` properties can be observed, alone or along a key path.
///
/// ```swift
/// final class PlaybackController: ObservableModel {
///     let observationStore = ObservationStore()
///     @Published var player: Player?
/// }
///
/// let token = root.observe(\.playbackController?.player?.videoTitle) { print($0 ?? "nothing") }
/// ```
///
/// An observation evaluates the key path and records the published properties it reads. So a path leads through
/// optionals, arrays and computed properties, and always through the *current* models.
///
/// - Threading: a model, the models it refers to and their observers belong to one queue, actor or thread at a
///   time. The library does not lock. Debug builds trap if two threads use one at once.
/// - Order: observers are notified in the order in which they began; all see the same changes in the same order.
public protocol ObservableModel: AnyObject {
    /// The model's observers. Declare a stored constant; each model needs its own.
    var observationStore: ObservationStore { get }
}
