// SPDX-License-Identifier: MIT
// The place where models and their observers belong, as other threads know it. Independent of values and evaluations.

import Synchronization

/// The place where models and their observers belong: one actor, queue or thread at a time. Models share a home if an
/// observation began at one of them and led on to the others.
///
/// Tokens may be released anywhere. So any thread adds an observer whose token was released, without waiting. The next change
/// of a model of this home ends it there, and so does the next observation. If the home is known to be an actor, it also
/// ends it as soon as the actor is free.
///
/// - Bounds: the home has at most the observers that were released since then.
/// - Threading: ``add(_:)`` and ``actor`` on any thread, all else as the models'.
final class ObservationHome: Sendable {
    /// The address of the observer that was added last, which leads to the others; zero without one.
    private let last = Atomic<UInt>(0)
    /// The actor, once it is known. It does not change any more.
    private let knownActor = AtomicLazyReference<HomeActor>()

    deinit { popReleased { _ in } }

    var actor: HomeActor? { knownActor.load() }

    func note(_ actor: any Actor) { if self.actor == nil { _ = knownActor.storeIfNil(HomeActor(actor)) } }

    @inline(__always) var hasReleased: Bool { last.load(ordering: .relaxed) != 0 }

    /// Adds an observer whose token was released, and retains it.
    func add(_ observer: Observer) {
        let address = unsafe UInt(bitPattern: Unmanaged.passRetained(observer).toOpaque())
        var former = last.load(ordering: .relaxed)
        while true {
            observer.nextReleased = former
            let result = last.compareExchange(expected: former, desired: address, ordering: .releasing)
            if result.exchanged { break }
            former = result.original
        }
        if former == 0 { actor?.run { [self] in endReleased() } }
    }

    func endReleased() { popReleased { $0.cancel() } }

    private func popReleased(_ body: (Observer) -> Void) {
        var next = last.exchange(0, ordering: .acquiring)
        while let address = unsafe UnsafeRawPointer(bitPattern: next) {
            let observer = unsafe Unmanaged<Observer>.fromOpaque(address).takeRetainedValue()
            next = observer.nextReleased
            body(observer)
        }
    }
}
