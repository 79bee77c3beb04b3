// SPDX-License-Identifier: MIT
// Whether an observer is being evaluated. Independent of properties and observers.

public import Synchronization

/// Whether any thread is evaluating an observer. If not, a read of a property adds no dependency.
@usableFromInline enum ObservationGate {
    @usableFromInline static let count = Atomic<Int>(0)

    @inlinable @inline(__always) static var isOpen: Bool { count.load(ordering: .relaxed) != 0 }

    static func open() { count.add(1, ordering: .relaxed) }
    static func close() { count.subtract(1, ordering: .relaxed) }
}
