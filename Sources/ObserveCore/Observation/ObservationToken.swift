// SPDX-License-Identifier: MIT
// The token that ends an observation. Independent of values.

/// Ends an observation: by ``cancel()``, or when the token is released. So observations end with the object that
/// stores their tokens. Once the source has ended, the token holds nothing.
///
/// - Threading: as the models'. After ``cancel()`` has returned there, the observer is never called again, not even
///   with earlier changes.
/// - Order: cancelling is idempotent, and allowed inside any observer, its own included.
/// - Cost: O(1), regardless of other observers.
public final class ObservationToken: ObserverOwner {
    private var observer: Observer?
    private let endsWithToken: Bool

    @usableFromInline
    init(_ observer: Observer, endsWithToken: Bool = true) {
        self.observer = observer
        self.endsWithToken = endsWithToken
        unsafe observer.token = self
    }

    deinit {
        let observer = popObserver()
        if endsWithToken { observer?.cancel() }
    }

    /// Whether the observer may still be notified: false once it is cancelled or its source has ended.
    public var isActive: Bool { observer?.isActive ?? false }

    /// Ends the observation now.
    public func cancel() { popObserver()?.cancel() }

    private func popObserver() -> Observer? {
        unsafe observer?.token = nil
        defer { observer = nil }
        return observer
    }

    /// Releases the observer, which has ended. It holds the callback, and whatever that captures.
    func observerDidEnd() { observer = nil }

    /// Stores the token in a collection. The observation ends when the collection releases the token.
    public func store(in tokens: inout some RangeReplaceableCollection<ObservationToken>) {
        tokens.append(self)
    }

    /// Stores the token in a set. The observation ends when the set releases the token.
    public func store(in tokens: inout Set<ObservationToken>) { tokens.insert(self) }
}

extension ObservationToken: Hashable {
    /// A token equals only itself.
    public static func == (left: ObservationToken, right: ObservationToken) -> Bool { left === right }

    /// Hashes its identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Lets an observer's callback end the observer.
@usableFromInline
final class ObserverEnd {
    @usableFromInline weak var observer: Observer?

    @usableFromInline
    init() {}

    @usableFromInline
    func cancel() { observer?.cancel() }
}
