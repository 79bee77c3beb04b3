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
/// - Threading: iterate on the actor that owns the models. Cancel from anywhere.
public struct ObservedSequence<Element>: AsyncSequence {
    /// It never fails.
    public typealias Failure = Never

    let buffering: ChangeBuffering
    /// Begins to observe; `receive` gets the elements, and nil after the last one.
    let begin: (_ receive: @escaping (Element?) -> Void) -> ObservationToken?
    let coalesce: (_ waiting: Element, _ newest: Element) -> Element

    /// Begins to observe.
    public func makeAsyncIterator() -> Iterator {
        let iterator = Iterator(buffering: buffering, coalesce: coalesce)
        iterator.feed.token = begin { [weak feed = iterator.feed] in feed?.receive($0) }
        return iterator
    }

    /// Iterates over the elements. It ends the observation when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let feed: Feed

        fileprivate init(buffering: ChangeBuffering, coalesce: @escaping (Element, Element) -> Element) {
            feed = Feed(buffering: buffering, coalesce: coalesce)
        }

        /// The next element; nil if the model is gone or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while true {
                if Task.isCancelled {
                    feed.end()
                    return nil
                }
                if let element = feed.pop() { return element }
                if feed.isEnded { return nil }
                await feed.alarm.wait(isolation: actor)
            }
        }
    }

    /// The unread elements. Confined to the models' queue or actor.
    fileprivate final class Feed {
        let alarm = Alarm()
        var token: ObservationToken?
        private let buffering: ChangeBuffering
        private let coalesce: (Element, Element) -> Element
        private var waiting: [Element] = []
        private var popped = 0
        private(set) var isEnded = false

        init(buffering: ChangeBuffering, coalesce: @escaping (Element, Element) -> Element) {
            self.buffering = buffering
            self.coalesce = coalesce
        }

        func receive(_ element: Element?) {
            if let element {
                if case .latest = buffering, let last = waiting.popLast() {
                    waiting.append(coalesce(last, element))
                } else {
                    waiting.append(element)
                }
            } else {
                isEnded = true
            }
            alarm.ring()
        }

        func pop() -> Element? {
            guard popped < waiting.count else { return nil }
            let element = waiting[popped]
            popped += 1
            if popped == waiting.count {
                waiting.removeAll(keepingCapacity: popped < 64)
                popped = 0
            } else if popped >= 64, popped * 2 > waiting.count {
                waiting.removeFirst(popped)
                popped = 0
            }
            return element
        }

        func end() {
            token = nil
            waiting = []
            popped = 0
            isEnded = true
        }
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

extension ObservableModel {
    /// The values of `expression`: the current one, and each one that differs.
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure.
    ///   - buffering: The values to keep while the loop is busy.
    public func values<Value>(
        of expression: @escaping (Self) -> Value,
        buffering: ChangeBuffering = .every
    ) -> ObservedSequence<Value> {
        ObservedSequence(
            buffering: buffering,
            begin: { [weak self] receive in
                Self.begin(self, expression, [.initial, .new, .distinct], receive) { $0.new }
            },
            coalesce: { $1 }
        )
    }

    /// The changes of the value of `expression`. The last one has the reason ``ChangeReason/sourceDeleted``.
    ///
    /// - Parameters:
    ///   - expression: A key path, or a closure.
    ///   - options: The contents of changes, as for `observe(_:options:changeHandler:)`.
    ///   - buffering: The changes to keep while the loop is busy. With ``ChangeBuffering/latest``, a change has the
    ///     old value of the first change that it replaces.
    public func changes<Value>(
        of expression: @escaping (Self) -> Value,
        options: ObservingOptions = [.initial, .new, .old],
        buffering: ChangeBuffering = .every
    ) -> ObservedSequence<Change<Value>> {
        ObservedSequence(
            buffering: buffering,
            begin: { [weak self] receive in Self.begin(self, expression, options, receive) { $0 } },
            coalesce: { waiting, newest in
                Change(
                    reason: newest.reason,
                    new: newest.new,
                    old: waiting.old,
                    isPrior: newest.isPrior,
                    changedAt: newest.changedAt
                )
            }
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
        return model.observe(expression, options: options) { change in
            if let element = element(change) { receive(element) }
            if change.reason == .sourceDeleted { receive(nil) }
        }
    }
}
