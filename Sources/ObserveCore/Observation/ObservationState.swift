// SPDX-License-Identifier: MIT
// What an observation of a value remembers between two changes. Knows nothing of who reads the value or is told.

/// The last value of an observation, and the changes that wait to be told.
///
/// A model that was the last value is remembered weakly: an observation keeps nobody alive.
@usableFromInline
@safe
final class ObservationState<Source: AnyObject, Value> {
    /// What is observed.
    @safe @usableFromInline @exclusivity(unchecked) weak var source: Source?
    @usableFromInline let options: ObservingOptions
    @usableFromInline let equality: Equality<Value>
    @usableFromInline let remembers: Bool

    // The last value, if it is needed

    @safe @usableFromInline @exclusivity(unchecked) var last: Value?
    @safe @usableFromInline @exclusivity(unchecked) weak var lastObject: AnyObject?
    @safe @usableFromInline @exclusivity(unchecked) var lastIsObject = false

    // The oldest change that waits, and those after it: there are more than one only if observers assign.

    @safe @usableFromInline @exclusivity(unchecked) var isWaiting = false
    @safe @usableFromInline @exclusivity(unchecked) var waitingCause = ChangeCauseOfValue()
    /// Nil as long as it is the last value.
    @safe @usableFromInline @exclusivity(unchecked) var waitingNew: Value?
    @safe @usableFromInline @exclusivity(unchecked) var waitingOld: Value?
    @safe @usableFromInline @exclusivity(unchecked) var later: [Change<Value>] = []

    @inlinable
    init(_ source: Source?, options: ObservingOptions, equality: Equality<Value>) {
        self.source = source
        self.options = options
        self.equality = equality
        let compares = options.contains(.distinct) && equality.isKnown
        remembers = !equality.isIdentity && (compares || !options.isDisjoint(with: [.old, .prior]))
    }

    /// Takes the value as it is now. True if it has to be told.
    @inlinable
    func update(_ value: consuming Value, of observer: Observer) -> Bool {
        if options.contains(.distinct), isLast(value) {
            if !observer.owesChange { return false }
        }
        observer.owesChange = false
        let old = options.contains(.old) ? lastValue : nil
        if isWaiting {
            if waitingNew == nil { waitingNew = last }
            later.append(change(observer.cause(), new: copy value, old: old))
            remember(value)
            return true
        }
        isWaiting = true
        waitingCause = observer.cause()
        if options.contains(.old) { waitingOld = old }
        if !remembers { waitingNew = copy value }
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

    /// The change that is still to come; nil if nobody would have to be told of it.
    @inlinable
    func prior(_ observer: Observer, isEqual: Bool) -> Change<Value>? {
        if isEqual && options.contains(.distinct) { return nil }
        let cause = observer.cause()
        return Change(reason: cause.reason, old: lastValue, isPrior: true, changedAt: cause.changedAt)
    }

    /// Takes the end of the source.
    @inlinable
    func end() {
        let cause = ChangeCauseOfValue(reason: .sourceDeleted)
        let old = options.contains(.old) ? lastValue : nil
        if isWaiting {
            later.append(Change(reason: .sourceDeleted, old: old))
        } else {
            isWaiting = true
            waitingCause = cause
            waitingOld = old
        }
    }

    /// The value of the oldest change that was not told yet.
    @inlinable
    func takeValue() -> Value? {
        if later.isEmpty, waitingNew == nil {
            guard isWaiting else { return nil }
            isWaiting = false
            return waitingCause.reason == .sourceDeleted ? nil : last
        }
        return takeChange()?.new
    }

    /// The oldest change that was not told yet.
    @inlinable
    func takeChange() -> Change<Value>? {
        guard isWaiting else { return nil }
        let isEnd = waitingCause.reason == .sourceDeleted
        let change = change(waitingCause, new: isEnd ? nil : waitingNew ?? last, old: waitingOld)
        waitingOld = nil
        waitingNew = nil
        isWaiting = false
        if !later.isEmpty { move(later.removeFirst()) }
        return change
    }

    /// Makes a later change the oldest one.
    @inlinable
    func move(_ change: Change<Value>) {
        isWaiting = true
        waitingCause = ChangeCauseOfValue(reason: change.reason, changedAt: change.changedAt)
        waitingNew = change.new
        waitingOld = change.old
    }

    // MARK: The last value

    @inlinable
    func remember(_ value: consuming Value) {
        if remembers {
            last = consume value
        } else if equality.isIdentity {
            let object = unsafe unsafeBitCast(value, to: AnyObject?.self)
            lastObject = object
            lastIsObject = object != nil
        }
    }

    @inlinable
    func isLast(_ value: borrowing Value) -> Bool {
        if equality.isIdentity {
            let object = unsafe unsafeBitCast(copy value, to: AnyObject?.self)
            return object === lastObject && lastIsObject == (object != nil)
        }
        guard let areEqual = equality.areEqual, let last else { return false }
        return areEqual(last, copy value)
    }

    /// Nil if it was an object that is gone.
    @inlinable
    var lastValue: Value? {
        guard equality.isIdentity else { return last }
        let object = lastObject
        if lastIsObject && object == nil { return nil }
        return unsafe unsafeBitCast(object, to: Value.self)
    }
}

/// Why a value changed, and which property was assigned.
@usableFromInline
struct ChangeCauseOfValue {
    @usableFromInline var reason: ChangeReason
    @usableFromInline var changedAt: ChangedProperty?

    @inlinable
    init(reason: ChangeReason = .valueChanged, changedAt: ChangedProperty? = nil) {
        self.reason = reason
        self.changedAt = changedAt
    }
}
