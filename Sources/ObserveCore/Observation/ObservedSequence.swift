// SPDX-License-Identifier: MIT
// Changes as an asynchronous sequence. Independent of their detection.

import Synchronization

/// The changes to keep while a loop is busy.
public enum ChangeBuffering: Sendable {
    /// All changes, in order. They use memory until the loop reads them.
    case every
    /// Only the newest change.
    case latest
}

/// Values or changes of a model, one after another.
///
/// ```swift
/// for await title in root.values(of: \.playbackController?.player?.videoTitle) {
///     print(title ?? "nothing")
/// }
/// ```
///
/// Each iteration begins an observation of its own. It ends when the model is deinitialised, the task is cancelled,
/// or the loop ends.
///
/// A sequence keeps the actor on which it was made. Tasks of other actors may iterate over it if its elements are
/// `Sendable`: it observes on its own actor.
///
/// - Threading: make it on the actor that owns the models. A sequence that was made outside of actors observes where its
///   iterator is made. Cancel from anywhere. An iterator and its copies belong to one task: if two wait, the program traps.
public struct ObservedSequence<Element>: AsyncSequence {
    /// It never fails.
    public typealias Failure = Never

    let buffering: ChangeBuffering
    /// The actor on which it was made; nil outside of actors.
    let actor: (any Actor)?
    /// Begins to observe; `receive` gets the elements, and nil after the last one. Called on the actor of the models.
    nonisolated(unsafe) let begin: (_ receive: @escaping (Element?) -> Void) -> ObservationToken?
    /// Called there as well.
    nonisolated(unsafe) let coalesce: (_ waiting: Element, _ newest: Element) -> Element

    /// Begins to observe: at once on the sequence's actor, and as soon as that is free from elsewhere.
    public func makeAsyncIterator() -> Iterator {
        unsafe Iterator(feed: Feed(buffering: buffering, coalesce: coalesce), actor, begin)
    }

    /// Iterates over the elements. It ends the observation when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        private let feed: Feed
        private let observation: SequenceObservation

        fileprivate init(
            feed: Feed,
            _ actor: (any Actor)?,
            _ begin: @escaping (_ receive: @escaping (Element?) -> Void) -> ObservationToken?
        ) {
            self.feed = feed
            observation = SequenceObservation(actor) { [weak feed] in begin { feed?.receive($0) } }
        }

        /// The next element; nil if the model is gone or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while true {
                if Task.isCancelled {
                    observation.end()
                    feed.end()
                    return nil
                }
                if let element = feed.pop() { return element }
                if feed.isEnded { return nil }
                await feed.alarm.wait(isolation: actor)
            }
        }
    }

    /// The unread elements. The models' actor adds them, and the loop's removes them.
    fileprivate final class Feed {
        let alarm = Alarm()
        private let buffering: ChangeBuffering
        private let coalesce: (Element, Element) -> Element
        /// Guards what follows. No element is released while it is held: its deinitializer may add others.
        private let lock = Mutex(())
        /// Those before `popped` are nil.
        private var waiting: [Element?] = []
        private var popped = 0
        private var hasEnded = false

        init(buffering: ChangeBuffering, coalesce: @escaping (Element, Element) -> Element) {
            self.buffering = buffering
            self.coalesce = coalesce
        }

        var isEnded: Bool { lock.withLock { _ in hasEnded && popped == waiting.count } }

        func receive(_ element: Element?) {
            var replaced: Element?
            lock.withLock { _ in
                guard let element, !hasEnded else {
                    hasEnded = true
                    return
                }
                if case .latest = buffering { replaced = waiting.popLast() ?? nil }
                waiting.append(replaced.map { coalesce($0, element) } ?? element)
            }
            alarm.ring()
        }

        func pop() -> Element? {
            var element: Element?
            lock.withLock { _ in
                guard popped < waiting.count else { return }
                element = waiting[popped].take()
                popped += 1
                if popped == waiting.count {
                    waiting.removeAll(keepingCapacity: popped < 64)
                    popped = 0
                } else if popped >= 64, popped * 2 > waiting.count {
                    waiting.removeFirst(popped)
                    popped = 0
                }
            }
            return element
        }

        func end() {
            var unread: [Element?] = []
            lock.withLock { _ in
                swap(&unread, &waiting)
                popped = 0
                hasEnded = true
            }
        }
    }
}

extension ObservedSequence: Sendable where Element: Sendable {}

/// The observation of one iteration. It begins and ends on the models' actor, whichever task iterates.
private final class SequenceObservation {
    /// Confined to the models' actor.
    private final class State {
        var token: ObservationToken?
        var isOver = false
    }

    private let actor: (any Actor)?
    private let state = State()

    init(_ actor: (any Actor)?, _ begin: @escaping () -> ObservationToken?) {
        self.actor = actor
        run { [state] in if !state.isOver { state.token = begin() } }
    }

    deinit { end() }

    func end() {
        run { [state] in
            state.isOver = true
            state.token?.cancel()
            state.token = nil
        }
    }

    /// Performs the work on the actor: at once if the caller is there, or if none is known.
    private func run(_ work: @escaping () -> Void) {
        guard let actor else { return ObservationContext.on(nil, work) }
        HomeActor.start(on: actor, isLater: false) { ObservationContext.on(actor, work) }
    }
}

/// Wakes the loop that waits for the next element. Other threads use only this part, when they cancel.
private final class Alarm: Sendable {
    private struct State {
        var sleeper: CheckedContinuation<Void, Never>?
        var hasRung = false
    }

    private let state = Mutex(State())

    /// Waits for a ring. Returns at once if there was one since the last wait. A cancellation of the task rings.
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: actor) { continuation in
                    let isAwake = state.withLock { state in
                        if state.hasRung {
                            state.hasRung = false
                            return true
                        }
                        precondition(
                            state.sleeper == nil,
                            "two tasks wait for the next element of one iterator: each makes its own"
                        )
                        state.sleeper = continuation
                        return false
                    }
                    if isAwake { continuation.resume() }
                }
            },
            onCancel: { ring() },
            isolation: actor
        )
    }

    func ring() {
        let sleeper = state.withLock { state in
            state.hasRung = state.sleeper == nil
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume()
    }
}

extension ValuePublisher {
    /// The publisher's values: the first one, if there is one already, and each that follows.
    ///
    /// ```swift
    /// for await title in player.$videoTitle.filter({ !$0.isEmpty }).values() {
    ///     print(title)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - buffering: The values to keep while the loop is busy.
    ///   - isolation: The actor that owns the models: the caller's.
    /// - Returns: A sequence, which keeps the models alive as the publisher does. A loop over it does not.
    public func values(
        buffering: ChangeBuffering = .every,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservedSequence<Value> {
        ObservedSequence(
            buffering: buffering,
            actor: isolation,
            begin: { receive in ObservationToken(begin(.observer, receive, { receive(nil) })) },
            coalesce: { $1 }
        )
    }
}

extension ObservableModel {
    /// The values of `expression`: the current one, and each one that differs.
    /// - Parameters: As those of ``ValuePublisher/values(buffering:isolation:)``; the expression is a key path, or a closure.
    public func values<Value>(
        of expression: @escaping (Self) -> Value,
        buffering: ChangeBuffering = .every,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservedSequence<Value> {
        ObservedSequence(
            buffering: buffering,
            actor: isolation,
            begin: { [weak self] receive in Self.begin(self, expression, .values, receive) { $0.new } },
            coalesce: { $1 }
        )
    }

    /// The present value of `expression`, and a change after every assignment of a property that it reads, also of an equal value,
    /// unless `options` contain ``ObservingOptions/distinct``. The last one has the reason ``ChangeReason/sourceDeleted``.
    ///
    /// - Parameters:
    ///   - options: The contents of changes, as for `observe(_:options:changeHandler:)`.
    ///   - buffering: The changes to keep while the loop is busy. With ``ChangeBuffering/latest``, a change has the
    ///     old value of the first change that it replaces.
    public func changes<Value>(
        of expression: @escaping (Self) -> Value,
        options: ObservingOptions = [.initial, .new, .old],
        buffering: ChangeBuffering = .every,
        isolation: isolated (any Actor)? = #isolation
    ) -> ObservedSequence<Change<Value>> {
        ObservedSequence(
            buffering: buffering,
            actor: isolation,
            begin: { [weak self] receive in Self.begin(self, expression, options, receive) { $0 } },
            coalesce: { waiting, newest in newest.with(new: newest.new, old: waiting.old) }
        )
    }

    private static func begin<Value, Element>(
        _ model: Self?,
        _ expression: @escaping (Self) -> Value,
        _ options: ObservingOptions,
        _ receive: @escaping (Element?) -> Void,
        _ element: @escaping (Change<Value>) -> Element?
    ) -> ObservationToken? {
        guard let model else {
            receive(nil)
            return nil
        }
        let observer = Observation.changes(
            of: model,
            options: options,
            equality: Equality(),
            read: expression,
            notify: { change in
                if let element = element(change) { receive(element) }
                if change.reason == .sourceDeleted { receive(nil) }
            }
        )
        return ObservationToken(observer)
    }
}
