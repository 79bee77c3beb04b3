// SPDX-License-Identifier: MIT
// Finds, in debug builds, that two threads use one model's observers at once. Independent of properties and observers.

import Synchronization

#if DEBUG
    /// What one thread does now, as other threads see it.
    ///
    /// Queues and actors change threads between two calls from outside, so a model's thread may change as well. But if a
    /// thread uses a model *during* such a call of another thread that used it, the program has an error. Each call has
    /// a number of its own, the *period*. A model keeps the period that used it last (``ModelUse``).
    ///
    /// - Threading: ``begin()`` and ``end()`` on the thread itself.
    @safe
    struct ThreadUse: ~Copyable {
        /// The number of the thread's slot, in the upper 16 bits, and a count that is odd during a call.
        private(set) var period: UInt64
        private var depth = 0

        private static let slotCount = 1_024
        private static let shift: UInt64 = 48
        /// The present period of each slot.
        nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Atomic<UInt64>> = {
            let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: slotCount)
            for index in 0..<slotCount {
                unsafe (slots + index).initialize(to: Atomic(UInt64(index) << shift))
            }
            return unsafe slots
        }()
        private static let free = Mutex(Array(1..<slotCount))

        init() {
            // Slot 0 is for the threads beyond all slots: they are not checked.
            let slot = Self.free.withLock { $0.popLast() } ?? 0
            period = unsafe Self.slots[slot].load(ordering: .sequentiallyConsistent)
        }

        deinit {
            let slot = Int(period >> Self.shift)
            if slot != 0 { Self.free.withLock { $0.append(slot) } }
        }

        mutating func begin() {
            if depth == 0 { advance() }
            depth += 1
        }

        mutating func end() {
            depth -= 1
            if depth == 0 { advance() }
        }

        private mutating func advance() {
            period += 1
            let slot = Int(period >> Self.shift)
            if slot != 0 { unsafe Self.slots[slot].store(period, ordering: .sequentiallyConsistent) }
        }

        /// Whether the thread of that period is still in the same call.
        static func isUnderWay(_ period: UInt64) -> Bool {
            let slot = Int(period >> shift)
            let isInCall = period & 1 == 1
            return unsafe isInCall && slot != 0
                && slots[slot].load(ordering: .sequentiallyConsistent) == period
        }

        static func isSameThread(_ left: UInt64, _ right: UInt64) -> Bool { left >> shift == right >> shift }
    }
#endif

/// The last use of one model's observers. Has no memory in release builds.
@safe
struct ModelUse {
    #if DEBUG
        private let last: UnsafeMutablePointer<Atomic<UInt64>>

        init() {
            unsafe last = .allocate(capacity: 1)
            unsafe last.initialize(to: Atomic(0))
        }

        func deallocate() { unsafe last.deallocate() }

        /// Notes a use in that period. Returns false if another thread's use has not ended.
        func note(_ period: UInt64) -> Bool {
            let former = unsafe last.pointee.exchange(period, ordering: .sequentiallyConsistent)
            return ThreadUse.isSameThread(former, period) || !ThreadUse.isUnderWay(former)
        }
    #else
        @inline(__always) func deallocate() {}
    #endif
}

extension ObservationContext {
    /// Begins a call from outside, or one within it. Does nothing in release builds.
    @inline(__always)
    func beginUse() {
        #if DEBUG
            use.begin()
        #endif
    }

    @inline(__always)
    func endUse() {
        #if DEBUG
            use.end()
        #endif
    }

    /// Runs `body` within one call from outside. Debug builds trap if another thread uses the same models meanwhile.
    @inline(__always)
    static func using(_ body: () -> Void) {
        #if DEBUG
            withCurrent { $0.beginUse() }
            defer { withCurrent { $0.endUse() } }
        #endif
        body()
    }
}

extension ObservationCore {
    /// Notes that this thread uses the model's observers.
    @inline(__always)
    func noteUse() {
        #if DEBUG
            let period = ObservationContext.withCurrent { $0.use.period }
            guard unsafe !record.pointee.use.note(period) else { return }
            fatalError(
                """
                two threads use the observers of one \(modelType.map { "\($0)" } ?? "model") at once. A model, the \
                models it refers to and their observers belong to one queue, actor or thread at a time
                """
            )
        #endif
    }
}
