// SPDX-License-Identifier: MIT
// Finds, in debug builds, that two threads use one model's observers at once. Independent of properties and observers.

import Synchronization

#if DEBUG
    /// What one thread does now, as other threads see it.
    ///
    /// Queues and actors change threads between two calls from outside, so a model's thread may change as well. But if a thread
    /// uses a model *during* such a call of another thread that used it, the program has an error. Each call has a number of its
    /// own, the *period*. A model keeps the thread and the period that used it last (``ModelUse``).
    ///
    /// - Threading: ``begin()`` and ``end()`` on the thread itself.
    final class ThreadUse: Sendable {
        /// Odd during a call.
        let period = Atomic<UInt64>(0)
        // Used by the thread alone.
        nonisolated(unsafe) private var depth = 0

        func begin() {
            if unsafe depth == 0 { period.add(1, ordering: .sequentiallyConsistent) }
            unsafe depth += 1
        }

        func end() {
            unsafe depth -= 1
            if unsafe depth == 0 { period.add(1, ordering: .sequentiallyConsistent) }
        }
    }

    /// The last use of one model's observers.
    final class ModelUse {
        private let last = Mutex<(thread: ThreadUse, period: UInt64)?>(nil)

        /// Notes a use by this thread. Returns false if another thread's use has not ended.
        func note(_ thread: ThreadUse) -> Bool {
            let period = thread.period.load(ordering: .sequentiallyConsistent)
            let former = last.withLock { last in
                defer { last = (thread, period) }
                return last
            }
            guard let former, former.thread !== thread, former.period % 2 == 1 else { return true }
            return former.thread.period.load(ordering: .sequentiallyConsistent) != former.period
        }
    }
#endif

extension ObservationContext {
    /// Begins a call from outside, or one within it. Does nothing in release builds.
    @inline(__always) func beginUse() {
        #if DEBUG
            use.begin()
        #endif
    }

    @inline(__always) func endUse() {
        #if DEBUG
            use.end()
        #endif
    }

    /// Runs `body` within one call from outside. Debug builds trap if another thread uses the same models meanwhile.
    @inline(__always) static func using(_ body: () -> Void) {
        #if DEBUG
            withCurrent { $0.beginUse() }
            defer { withCurrent { $0.endUse() } }
        #endif
        body()
    }
}

extension ObservationCore {
    /// Notes that this thread uses the model's observers.
    @inline(__always) func noteUse() {
        #if DEBUG
            let thread = ObservationContext.withCurrent { $0.use }
            guard unsafe !record.pointee.use.note(thread) else { return }
            fatalError(
                """
                two threads use the observers of one \(modelType.map { "\($0)" } ?? "model") at once. A model, the \
                models it refers to and their observers belong to one queue, actor or thread at a time
                """
            )
        #endif
    }
}
