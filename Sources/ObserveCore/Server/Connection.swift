// SPDX-License-Identifier: MIT
// A session with its socket. Knows nothing of what is said on it.

/// One accepted connection.
///
/// - Threading: confined with its event loop.
final class Connection {
    let session: Session
    var descriptor: FileDescriptor
    /// What the epoll set waits for now.
    var interest: EpollEvents = .readable
    /// Too many answers wait: no request is read until the client has taken some.
    var isPaused = false
    /// The client has shut down its writing side. A half-closed socket stays readable for ever: it is no longer asked.
    var hasSeenEnd = false
    /// A write has failed: there is nobody to read answers any more.
    var isDeaf = false
    var isClosed = false

    init(session: Session, descriptor: consuming FileDescriptor) {
        self.session = session
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    var wantsInput: Bool { !isPaused && !hasSeenEnd && session.closing == nil }
}
