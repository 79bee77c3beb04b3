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
    /// What requests that were read wait for: see ``Pending``.
    var pending = Pending.nothing
    /// The client used up its last turn, or has had none. When a round is over, only the others still have turns.
    var hasUsedUpTurn = true
    /// The client's last turn sent events to many: see ``TurnQueue/holds(_:feedsMany:)``.
    var feedsMany = false
    /// The client has shut down its writing side. Its socket then stays readable for ever, so the loop stops
    /// asking.
    var hasSeenEnd = false
    /// A write has failed, or the client has hung up: it reads no more answers.
    var isDeaf: Bool {
        get { session.input.hasLeft }
        set { session.input.hasLeft = newValue }
    }
    var isClosed = false

    /// Why the loop reads no request: others that it has read are still to be executed.
    enum Pending {
        /// None is.
        case nothing
        /// The client's turn is over, and these have the next one.
        case turn
        /// Too many answers wait, until the client has read some.
        case reader
    }

    init(session: Session, descriptor: consuming FileDescriptor) {
        self.session = session
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    /// Requests that were read are still to be executed.
    var hasRequests: Bool { pending != .nothing }

    var wantsInput: Bool { !hasRequests && !hasSeenEnd && session.delivery.closing == nil }
}
