// SPDX-License-Identifier: MIT
// Whether reading a property may matter to anybody. Knows nothing of who reads or observes.

public import Synchronization

/// Whether any thread is evaluating an observer. If none is, reading a property is just that.
@usableFromInline
enum ObservationGate {
    @usableFromInline static let count = Atomic<Int>(0)

    @inlinable @inline(__always)
    static var isOpen: Bool { count.load(ordering: .relaxed) != 0 }

    static func open() { count.add(1, ordering: .relaxed) }
    static func close() { count.subtract(1, ordering: .relaxed) }
}
