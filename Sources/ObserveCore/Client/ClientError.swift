// SPDX-License-Identifier: MIT
// Errors of clients, with messages.

/// An error answer of the daemon ("Errors" in `docs/protocol.md`).
public struct DaemonError: Error, Equatable, Sendable {
    /// The kind of error.
    public let code: WireError.Code
    /// The daemon's message: one sentence.
    public let message: String
    package let data: RawJSON?

    /// Further members: for example the faulty path, or the current value and revision.
    public var details: Value? { try? data?.value() }

    package init(code: WireError.Code, message: String, data: RawJSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }
}

/// Errors of requests and connections.
public enum ClientError: Error, Equatable, Sendable {
    /// No daemon is running at the path.
    case unreachable(SocketError)
    /// The daemon refused the request.
    case refused(DaemonError)
    /// The daemon sent `goodbye` and closed the connection ("Goodbye" in `docs/protocol.md`).
    case goodbye(reason: String)
    /// The connection closed without `goodbye`; the `errno`, or zero at the end of input.
    case connectionLost(code: Int32)
    /// A line is not a message of the protocol.
    case malformed(String)
    /// The deadline passed.
    case timedOut
    /// The task was cancelled, the client was closed, or the reader of the output closed it.
    case abandoned
    /// The value at the path does not have the requested type.
    case unexpected(path: String, value: String)
    /// The value for the path can't be written: JSON can't hold it, or 64 signed bits can't. Nothing was sent.
    case unencodable(path: String, reason: String)
}

extension ClientError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .unreachable(let error): error.description
        case .refused(let error): error.message
        case .goodbye("shutdown"): "the daemon is shutting down"
        case .goodbye("upgrade"):
            "the daemon is being replaced by a newer one, and has not executed the request"
        case .goodbye("accessDenied"):
            "this user may not connect: the daemon's configuration names no rule for it"
        case .goodbye("accessChanged"): "the daemon's rules for other users have changed"
        case .goodbye("journalFailed"):
            "the disk of the daemon's state failed; the daemon continues from what the disk has kept"
        case .goodbye("overflow"): "the daemon cut the connection because it was read too slowly"
        case .goodbye("idle"):
            "the daemon cut the connection because a request was left unfinished for a minute"
        case .goodbye(let reason): "the daemon ended the connection: \(reason)"
        case .connectionLost(0): "the daemon has gone"
        case .connectionLost(let code): "the connection to the daemon broke: \(SocketError.text(of: code))"
        case .malformed(let what): "what listens on the socket does not speak the daemon's protocol: \(what)"
        case .timedOut: "timed out"
        case .abandoned: "the request was abandoned: its task was cancelled, or the client closed"
        case .unexpected(let path, let value):
            "\(path) is \(value), which is not a value of the requested type"
        case .unencodable(let path, let reason): "\(path) can't be written: \(reason)"
        }
    }
}
