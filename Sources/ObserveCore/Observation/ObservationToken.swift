// SPDX-License-Identifier: MIT
// The token that ends an observation. Independent of values.

/// Ends an observation: by ``cancel()``, or when the token is released. So observations end with the object that
/// stores their tokens. Once the source has ended, the token holds nothing.
///
/// ``cancel()`` frees the observer at once. After a release, the observer is not called again either. The next change of the
/// observed model, or the next observation of it, frees what the observer holds, where the model belongs.
///
/// - Threading: as the models'. But any thread may release the token: the object that stores it may have its end anywhere.
///   The observer may then be running. Once the models' actor, queue or thread has had a turn, it is never called again.
/// - Order: cancelling is idempotent, and allowed inside any observer, its own included. After ``cancel()`` has returned,
///   the observer is never called again, not even with earlier changes.
/// - Cost: O(1), regardless of other observers. A release takes no lock.
public final class ObservationToken {
    private let observer: Observer
    /// The observer's home; nil if the token's release does not end the observation.
    private let home: ObservationHome?

    @usableFromInline init(_ observer: Observer, endsWithToken: Bool = true) {
        self.observer = observer
        home = endsWithToken ? observer.home : nil
    }

    /// - Parameter actor: The actor to which the models belong, if it is known.
    @inlinable convenience init(on actor: (any Actor)?, endsWithToken: Bool = true, _ begin: () -> Observer) {
        self.init(ObservationContext.on(actor, begin), endsWithToken: endsWithToken)
    }

    deinit { if let home, observer.release() { home.add(observer) } }

    /// Whether the observer may still be notified: false once it is cancelled, or its source or its target has ended.
    public var isActive: Bool { observer.isActive && !observer.hasLostTarget }

    /// Ends the observation now.
    public func cancel() { observer.cancel() }

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
