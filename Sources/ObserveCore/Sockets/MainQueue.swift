// SPDX-License-Identifier: MIT
// The main queue for programs with a loop of their own. Independent of the work on the queue.

internal import CLinux

/// The work of the main queue and the main actor, for a program whose main thread has a loop of its own: that of a game, a
/// window or a terminal.
///
/// Poll ``descriptor`` among the loop's own descriptors, and call ``turn()`` each time: see <doc:Hosting>.
///
/// Everything that belongs to the main queue then works as it does after `dispatchMain()`: a ``ModelServer`` with its models,
/// mirrors and publications, and tasks on the main actor, which may await a ``DaemonClient``.
///
/// - Threading: the main thread, which never calls `dispatchMain()`. ``turn()`` on another thread traps.
public enum MainQueue {
    /// Readable when ``turn()`` has work. Poll it, but do not read it.
    public static var descriptor: Int32 { mainQueueDescriptor() }

    /// Executes the waiting work, and returns. A server does some milliseconds of its work in one turn, and leaves the rest for
    /// the next one.
    public static func turn() {
        var count: UInt64 = 0
        _ = Syscall.run { unsafe eventfd_read(descriptor, &count) }
        executeMainQueue(nil)
    }
}

// Dispatch offers the main queue to run loops: Foundation's uses these functions too.

@_silgen_name("_dispatch_get_main_queue_handle_4CF")
private func mainQueueDescriptor() -> Int32

@_silgen_name("_dispatch_main_queue_callback_4CF")
private func executeMainQueue(_ message: UnsafeMutableRawPointer?)
