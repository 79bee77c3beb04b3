// SPDX-License-Identifier: MIT
// The state of one observation between its changes. Independent of evaluations and notifications.

/// The last value of an observation, and its changes that wait for notification.
@usableFromInline
@safe
final class ObservationState<Source: AnyObject, Value> {
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

    @inlinable
    init(_ source: Source?, options: ObservingOptions, equality: Equality<Value>) {
        self.source = source
        self.options = options
        let compares = options.contains(.distinct) && equality.isKnown
        let remembers = compares || !options.isDisjoint(with: [.old, .prior])
        last = LastValue(equality, remembersValues: remembers)
    }

    @inlinable
    func remember(_ value: consuming Value) {
        // The former value is released after the access: its deinitialiser may run any code.
        _ = last.replace(with: value)
    }

    /// Compares the value with the last one, and replaces that. Returns whether the observer must be notified.
    /// - Parameter owesChange: Whether the observer must be notified even of an equal value.
    @inlinable
    func update(_ value: consuming Value, of observer: Observer, owesChange: Bool) -> Bool {
        if options.contains(.distinct), last.isEqual(to: value) {
            if !owesChange { return false }
        }
        let old = options.contains(.old) ? last.current : nil
        let cause = observer.cause()
        if pending.hasOldest {
            pending.append(change(cause, new: copy value, old: old), after: last.value)
        } else {
            pending.begin(cause, new: last.remembersValues ? nil : copy value, old: old)
        }
        remember(value)
        return true
    }

    @inlinable
    func change(_ cause: ChangeCauseOfValue, new: Value?, old: Value?) -> Change<Value> {
        Change(
            reason: cause.reason,
            new: options.contains(.new) ? new : nil,
            old: old,
            changedAt: cause.changedAt
        )
    }

    /// A prior change; nil if the observer gets none.
    @inlinable
    func prior(_ observer: Observer, isEqual: Bool) -> Change<Value>? {
        if isEqual && options.contains(.distinct) { return nil }
        let cause = observer.cause()
        return Change(reason: cause.reason, old: last.current, isPrior: true, changedAt: cause.changedAt)
    }

    /// Adds the last change, which reports the end of the source.
    @inlinable
    func end() {
        let old = options.contains(.old) ? last.current : nil
        if pending.hasOldest {
            pending.append(Change(reason: .sourceDeleted, old: old), after: nil)
        } else {
            pending.begin(ChangeCauseOfValue(reason: .sourceDeleted), new: nil, old: old)
        }
    }

    /// Removes the oldest pending change, and returns its value.
    @inlinable
    func popValue() -> Value? {
        guard pending.isLastValue else { return popChange()?.new }
        guard pending.hasOldest else { return nil }
        pending.hasOldest = false
        return pending.cause.reason == .sourceDeleted ? nil : last.value
    }

    @inlinable
    func popChange() -> Change<Value>? {
        guard let oldest = pending.pop() else { return nil }
        let isEnd = oldest.cause.reason == .sourceDeleted
        return change(oldest.cause, new: isEnd ? nil : oldest.new ?? last.value, old: oldest.old)
    }
}

// MARK: - The last value

/// The last value of an observation, if the observation needs it.
///
/// It holds an object weakly, since an observation keeps no model alive. It is not copyable, because a copy of a
/// weak reference costs as much as a notification.
@usableFromInline
@safe
struct LastValue<Value>: ~Copyable {
    @usableFromInline let equality: Equality<Value>
    /// Whether ``value`` keeps the last value. False for objects.
    @usableFromInline let remembersValues: Bool
    @usableFromInline var value: Value?
    @usableFromInline weak var object: AnyObject?
    @usableFromInline var isObject = false

    @inlinable
    init(_ equality: Equality<Value>, remembersValues: Bool) {
        self.equality = equality
        self.remembersValues = remembersValues && !equality.isIdentity
    }

    /// - Returns: The former value, if values are kept.
    @inlinable
    mutating func replace(with fresh: consuming Value) -> Value? {
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

    @inlinable
    func isEqual(to other: borrowing Value) -> Bool {
        if equality.isIdentity {
            let other = Equality<Value>.object(other)
            return other === object && isObject == (other != nil)
        }
        guard let areEqual = equality.areEqual, let value else { return false }
        return areEqual(value, copy other)
    }

    /// The last value; nil if it was an object that is deinitialised.
    @inlinable
    var current: Value? {
        guard equality.isIdentity else { return value }
        let object = object
        if isObject && object == nil { return nil }
        return Equality<Value>.value(object)
    }
}

// MARK: - Pending changes

/// The changes of an observation that wait for notification. There are several only if observers assign.
@usableFromInline
struct PendingChanges<Value>: ~Copyable {
    @usableFromInline var hasOldest = false

    // The oldest change

    @usableFromInline var cause = ChangeCauseOfValue()
    /// Nil while it is the last value.
    @usableFromInline var new: Value?
    @usableFromInline var old: Value?

    /// The changes after the oldest one.
    @usableFromInline var later: [Change<Value>] = []

    @inlinable
    init() {}

    /// Whether the oldest change has the last value, or nothing is pending.
    @inlinable var isLastValue: Bool { later.isEmpty && new == nil }

    @inlinable
    mutating func begin(_ cause: ChangeCauseOfValue, new: Value?, old: Value?) {
        hasOldest = true
        self.cause = cause
        self.new = new
        self.old = old
    }

    /// Adds a change.
    /// - Parameter last: The last value so far. The oldest change keeps it if it has none of its own.
    @inlinable
    mutating func append(_ change: Change<Value>, after last: Value?) {
        if new == nil { new = last }
        later.append(change)
    }

    @inlinable
    mutating func pop() -> (cause: ChangeCauseOfValue, new: Value?, old: Value?)? {
        guard hasOldest else { return nil }
        let oldest = (cause, new, old)
        new = nil
        old = nil
        hasOldest = false
        if !later.isEmpty {
            let next = later.removeFirst()
            let cause = ChangeCauseOfValue(reason: next.reason, changedAt: next.changedAt)
            begin(cause, new: next.new, old: next.old)
        }
        return oldest
    }
}
