// SPDX-License-Identifier: MIT
// A session with its socket. Independent of the contents of its lines.

/// One accepted connection.
///
/// - Threading: confined with its event loop.
@safe
final class Connection {
    let session: Session
    var descriptor: FileDescriptor
    /// The events that the epoll set waits for now.
    var interest: EpollEvents = .readable
    /// Too many answers wait: the loop reads no request until the client has read some.
    var isPaused = false
    /// The client has shut down its writing side. Its socket then stays readable for ever, so the loop stops
    /// asking.
    var hasSeenEnd = false
    /// A write has failed: the client reads no more answers.
    var isDeaf = false
    var isClosed = false

    init(session: Session, descriptor: consuming FileDescriptor) {
        self.session = session
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    var wantsInput: Bool { !isPaused && !hasSeenEnd && session.delivery.closing == nil }
}
