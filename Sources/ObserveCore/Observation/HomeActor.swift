// SPDX-License-Identifier: MIT
// Work on the actor to which models belong. Independent of the work.

/// The actor to which models belong. Any thread may give it work.
final class HomeActor: Sendable {
    private weak let actor: (any Actor)?

    /// The actor is held weakly, since it may hold tokens of its models' observers.
    init(_ actor: any Actor) { self.actor = actor }

    /// Performs the work on the actor: at once in a task of the actor, or if the actor has ended.
    func run(_ work: @escaping () -> Void) {
        guard let actor else { return work() }
        Self.start(on: actor, isLater: false, work)
    }

    /// Performs the work on the actor, after what runs there now; never if the actor has ended.
    func runLater(_ work: @escaping () -> Void) {
        if let actor { Self.start(on: actor, isLater: true, work) }
    }

    /// Starts the work on the actor, from any thread: at once in a task of the actor, if it is not for later.
    static func start(on actor: any Actor, isLater: Bool, _ work: @escaping () -> Void) {
        // The task is isolated to its actor from its beginning, so any thread may start it.
        unsafe unsafeBitCast(
            Self.task(on:isLater:_:),
            to: ((any Actor, Bool, @escaping () -> Void) -> Void).self
        )(actor, isLater, work)
    }

    private static func task(on actor: isolated any Actor, isLater: Bool, _ work: @escaping () -> Void) {
        nonisolated(unsafe) let work = work
        // Each closure uses the actor: so it is isolated to it.
        if isLater {
            Task {
                _ = actor
                unsafe work()
            }
        } else {
            Task.immediate {
                _ = actor
                unsafe work()
            }
        }
    }
}
