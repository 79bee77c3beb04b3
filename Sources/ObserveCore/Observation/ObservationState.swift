// SPDX-License-Identifier: MIT
// The state of one observation between its changes. Independent of evaluations and notifications.

/// The last value of an observation, and its changes that wait for notification.
@usableFromInline @safe final class ObservationState<Source: AnyObject, Value> {
    @usableFromInline weak let source: Source?
    @usableFromInline let options: ObservingOptions

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe @usableFromInline var last: LastValue<Value>
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe @usableFromInline var pending = PendingChanges<Value>()

    @inlinable init(_ source: Source?, options: ObservingOptions, equality: Equality<Value>) {
        self.source = source
        self.options = options
        let compares = options.contains(.distinct) && equality.isKnown
        let remembers = compares || !options.isDisjoint(with: [.old, .prior])
        last = LastValue(equality, remembersValues: remembers)
    }

    @inlinable func remember(_ value: consuming Value) {
        // The former value is released after the access: its deinitialiser may run any code.
        _ = last.replace(with: value)
    }

    /// Compares the value with the last one, and replaces that. Returns whether the observer must be notified.
    /// - Parameter owesChange: Whether the observer must be notified even of an equal value.
    @inlinable func update(_ value: consuming Value, of observer: Observer, owesChange: Bool) -> Bool {
        if options.contains(.distinct), last.isEqual(to: value), !owesChange { return false }
        let old = options.contains(.old) ? last.current : nil
        let cause = observer.cause()
        let new = last.remembersValues && pending.isEmpty ? nil : copy value
        let change = Change(reason: cause.reason, new: new, old: old, changedAt: cause.changedAt)
        pending.append(change, after: last.value)
        remember(value)
        return true
    }

    /// A prior change; nil if the observer gets none.
    @inlinable func prior(_ observer: Observer, isEqual: Bool) -> Change<Value>? {
        if isEqual && options.contains(.distinct) { return nil }
        let cause = observer.cause()
        return Change(reason: cause.reason, old: last.current, isPrior: true, changedAt: cause.changedAt)
    }

    /// Adds the last change, which reports the end of the source.
    @inlinable func end() {
        let old = options.contains(.old) ? last.current : nil
        pending.append(Change(reason: .sourceDeleted, old: old), after: last.value)
    }

    /// Removes the oldest pending change, and returns its value.
    @inlinable func popValue() -> Value? {
        guard let oldest = pending.pop(), oldest.reason != .sourceDeleted else { return nil }
        return oldest.new ?? last.value
    }

    @inlinable func popChange() -> Change<Value>? {
        guard let oldest = pending.pop() else { return nil }
        let hasNew = options.contains(.new) && oldest.reason != .sourceDeleted
        return oldest.with(new: hasNew ? oldest.new ?? last.value : nil, old: oldest.old)
    }
}

// MARK: - The last value

/// The last value of an observation that needs it. It holds an object weakly, since an observation keeps no model alive. It is
/// not copyable, because a copy of a weak reference costs as much as a notification.
@usableFromInline @safe struct LastValue<Value>: ~Copyable {
    @usableFromInline let equality: Equality<Value>
    /// Whether ``value`` keeps the last value. False for objects.
    @usableFromInline let remembersValues: Bool
    @usableFromInline var value: Value?
    @usableFromInline weak var object: AnyObject?
    @usableFromInline var isObject = false

    @inlinable init(_ equality: Equality<Value>, remembersValues: Bool) {
        self.equality = equality
        self.remembersValues = remembersValues && !equality.isIdentity
    }

    /// - Returns: The former value, if values are kept.
    @inlinable mutating func replace(with fresh: consuming Value) -> Value? {
        if remembersValues {
            var former: Value? = consume fresh
            swap(&former, &value)
            return former
        }
        if equality.isIdentity {
            let fresh = Equality<Value>.object(fresh)
            object = fresh
            isObject = fresh != nil
        }
        return nil
    }

    @inlinable func isEqual(to other: borrowing Value) -> Bool {
        if equality.isIdentity {
            let other = Equality<Value>.object(other)
            return other === object && isObject == (other != nil)
        }
        guard let areEqual = equality.areEqual, let value else { return false }
        return areEqual(value, copy other)
    }

    /// The last value; nil if it was an object that is deinitialised.
    @inlinable var current: Value? {
        guard equality.isIdentity else { return value }
        let object = object
        if isObject && object == nil { return nil }
        return Equality<Value>.value(object)
    }
}

// MARK: - Pending changes

/// The changes of an observation that wait for notification. There are several only if observers assign.
@usableFromInline struct PendingChanges<Value>: ~Copyable {
    /// Its new value is nil while that is the last value.
    @usableFromInline var oldest: Change<Value>?
    @usableFromInline var later: [Change<Value>] = []

    @inlinable init() {}

    @inlinable var isEmpty: Bool { oldest == nil }

    /// - Parameter last: The last value so far. The oldest change keeps it if it has none of its own.
    @inlinable mutating func append(_ change: Change<Value>, after last: @autoclosure () -> Value?) {
        guard let oldest else {
            self.oldest = change
            return
        }
        if oldest.new == nil { self.oldest = oldest.with(new: last(), old: oldest.old) }
        later.append(change)
    }

    @inlinable mutating func pop() -> Change<Value>? {
        let popped = oldest.take()
        if !later.isEmpty { oldest = later.removeFirst() }
        return popped
    }
}
