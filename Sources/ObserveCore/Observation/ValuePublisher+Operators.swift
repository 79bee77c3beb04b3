// SPDX-License-Identifier: MIT
// Operators on the values of one publisher. Independent of the detection of changes.

extension ValuePublisher {
    /// The results of `transform` for each value.
    ///
    /// `switchToLatest` is not needed: a key path through models always follows the latest one.
    @inlinable public func map<Result>(_ transform: @escaping (Value) -> Result) -> ValuePublisher<Result> {
        ValuePublisher<Result> { role, receive, end in
            begin(role, { receive(transform($0)) }, end)
        }
    }

    /// The results of `transform` for each value, without nil.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> ValuePublisher<Result> {
        ValuePublisher<Result> { role, receive, end in
            begin(role, { if let result = transform($0) { receive(result) } }, end)
        }
    }

    /// The values for which `isIncluded` is true.
    @inlinable public func filter(_ isIncluded: @escaping (Value) -> Bool) -> ValuePublisher {
        ValuePublisher { role, receive, end in
            begin(role, { if isIncluded($0) { receive($0) } }, end)
        }
    }

    /// The values without the first `count`. The current value counts as one.
    @inlinable public func dropFirst(_ count: Int = 1) -> ValuePublisher {
        precondition(count >= 0, "can't drop fewer values than none")
        return ValuePublisher { role, receive, end in
            var left = count
            return begin(role, { if left > 0 { left -= 1 } else { receive($0) } }, end)
        }
    }

    /// The results of `next` for the former result and each value. The first former result is `initial`.
    @inlinable public func scan<Result>(
        _ initial: Result,
        _ next: @escaping (Result, Value) -> Result
    ) -> ValuePublisher<Result> {
        ValuePublisher<Result> { role, receive, end in
            var former = initial
            let accumulate = { (value: Value) in
                former = next(former, value)
                receive(former)
            }
            return begin(role, accumulate, end)
        }
    }

    /// The values without repetitions of the previous one.
    @inlinable public func removeDuplicates(by areSame: @escaping (Value, Value) -> Bool) -> ValuePublisher {
        ValuePublisher { role, receive, end in
            var last: Value?
            let compare = { (value: Value) in
                if let last, areSame(last, value) { return }
                last = value
                receive(value)
            }
            return begin(role, compare, end)
        }
    }
}

extension ValuePublisher where Value: Equatable {
    /// The values without those that equal the previous one.
    @inlinable public func removeDuplicates() -> ValuePublisher { removeDuplicates(by: ==) }
}
