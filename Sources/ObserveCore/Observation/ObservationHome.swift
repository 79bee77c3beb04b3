// SPDX-License-Identifier: MIT
// The place where models and their observers belong, as other threads know it. Independent of values and evaluations.

import Synchronization

/// An observer, as its home knows it.
protocol HomeMember: AnyObject {
    /// The address of another member whose token was released before.
    var nextReleased: UInt { get set }
    func cancel()
    /// Makes it stale, though none of the properties on which it depends was assigned.
    func touchByPart()
}

/// The place where models and their observers belong: one actor, queue or thread at a time. Models share a home if an
/// observation began at one of them and led on to the others.
///
/// Tokens may be released anywhere. So any thread adds an observer whose token was released, without waiting. The next change
/// of a model of this home ends it there, and so does the next observation. If the home is known to be an actor, it also
/// ends it as soon as the actor is free.
///
/// - Bounds: the home has at most the observers that were released since then.
/// - Threading: ``add(_:)``, ``isHere`` and ``run(_:)`` on any thread, all else as the models'.
final class ObservationHome<Member: HomeMember>: Sendable {
    /// The address of the observer that was added last, which leads to the others; zero without one.
    private let last = Atomic<UInt>(0)
    /// The actor, once it is known. It does not change any more.
    private let knownActor = AtomicLazyReference<HomeActor>()

    deinit { popReleased { _ in } }

    private var actor: HomeActor? { knownActor.load() }

    /// Notes that the models belong to `actor`.
    func note(_ actor: any Actor) {
        if !hasActor { _ = knownActor.storeIfNil(HomeActor(actor)) }
    }

    var hasActor: Bool { actor != nil }

    /// Whether the caller is known to be at home.
    var isHere: Bool { actor?.isHere ?? false }

    /// Whether the caller may be elsewhere. False if no actor is known.
    var isElsewhere: Bool { actor.map { !$0.isHere } ?? false }

    /// Performs the work at home: at once if the caller is there, or if no actor is known.
    func run(_ work: @escaping () -> Void) {
        if let actor { actor.run(work) } else { work() }
    }

    /// Performs the work at home, after what runs there now; never if no actor is known.
    func runLater(_ work: @escaping () -> Void) { actor?.runLater(work) }

    @inline(__always)
    var hasReleased: Bool { last.load(ordering: .relaxed) != 0 }

    /// Adds an observer whose token was released, and retains it.
    func add(_ observer: Member) {
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

    private func popReleased(_ body: (Member) -> Void) {
        var next = last.exchange(0, ordering: .acquiring)
        while let address = unsafe UnsafeRawPointer(bitPattern: next) {
            let observer = unsafe Unmanaged<Member>.fromOpaque(address).takeRetainedValue()
            next = observer.nextReleased
            body(observer)
        }
    }
}
