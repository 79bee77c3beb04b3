// SPDX-License-Identifier: MIT
// Begins observations. Independent of their callbacks.

/// Begins observations for all public functions that observe, specialised at each use for the value's type.
@usableFromInline enum Observation {
    /// Observes the changes of the result of `read`.
    /// - Parameter keyPath: A key path whose ``ObservableModel/didChangeValue(for:)`` also notifies, even if its
    ///   getter does not announce reads.
    @inlinable static func changes<Source: ObservableModel, Value>(
        of source: Source,
        named keyPath: KeyPath<Source, Value>? = nil,
        role: ObserverRole = .observer,
        options: ObservingOptions,
        equality: Equality<Value>,
        read: @escaping (Source) -> Value,
        notify: @escaping (Change<Value>) -> Void
    ) -> Observer {
        let state = ObservationState<Source, Value>(source, options: options, equality: equality)
        let observer = Observer(role: role, options: options, needsCause: true) { observer, step in
            switch step {
            case .begin:
                guard let source = state.source else { return false }
                let value = observer.track { read(source) }
                state.remember(value)
                if options.contains(.initial) {
                    let change = Change(reason: .initial, new: options.contains(.new) ? value : nil)
                    observer.notifyInitially { notify(change) }
                }
                return true
            case .evaluate(let owesChange):
                guard let source = state.source else { return false }
                return state.update(observer.track { read(source) }, of: observer, owesChange: owesChange)
            case .notify:
                guard let change = state.popChange() else { return false }
                notify(change)
                if change.reason == .sourceDeleted { observer.cancel() }
                return true
            case .prior(let isEqual):
                guard let change = state.prior(observer, isEqual: isEqual) else { return false }
                notify(change)
                return true
            case .sourceDeleted:
                state.end()
                return true
            }
        }
        if let keyPath { observer.fix(keyPath, of: source) }
        observer.begin(on: source)
        return observer
    }

    /// Observes the first value and each that differs.
    /// - Parameters:
    ///   - key: A property whose assignments alone notify, also of an equal value. `read` then announces no read.
    ///   - onEnd: Called when the source has ended, after the last value.
    @inlinable static func values<Source: ObservableModel, Value>(
        of source: Source,
        assignedTo key: PropertyKey? = nil,
        role: ObserverRole = .observer,
        equality: Equality<Value>,
        _ read: @escaping (Source) -> Value,
        _ onChange: @escaping (Value) -> Void,
        onEnd: (() -> Void)? = nil
    ) -> Observer {
        let options: ObservingOptions = key == nil ? .values : [.initial, .new]
        let state = ObservationState<Source, Value>(source, options: options, equality: equality)
        let observer = Observer(role: role, options: options, needsCause: false) { observer, step in
            switch step {
            case .begin:
                guard let source = state.source else { return false }
                let value = key == nil ? observer.track { read(source) } : read(source)
                state.remember(value)
                observer.notifyInitially { onChange(value) }
                return true
            case .evaluate(let owesChange):
                guard let source = state.source else { return false }
                let value = key == nil ? observer.track { read(source) } : read(source)
                return state.update(value, of: observer, owesChange: owesChange)
            case .notify:
                guard let value = state.popValue() else { return end(observer, onEnd) }
                onChange(value)
                return true
            case .sourceDeleted where onEnd != nil:
                state.end()
                return true
            default: return false
            }
        }
        if let key { observer.fix(key, holding: Value.self, of: source) }
        observer.begin(on: source)
        return observer
    }

    /// Whether `value` is a publisher's own assignment that has come back: so two that are assigned to each other agree.
    @usableFromInline
    static func isAgreed<Value>(_ current: @autoclosure () -> Value, _ value: Value) -> Bool {
        ObservationContext.isInRound && Equality<Value>().isEqual(current(), value)
    }

    /// Ends an observation of values, whose source has ended.
    @usableFromInline static func end(_ observer: Observer, _ onEnd: (() -> Void)?) -> Bool {
        observer.cancel()
        onEnd?()
        return true
    }
}

extension ObservingOptions {
    /// Notify of the first value and each that differs.
    @inlinable static var values: ObservingOptions { [.initial, .new, .distinct] }
}
