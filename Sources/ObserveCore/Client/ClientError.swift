// SPDX-License-Identifier: MIT
// Why a client did not get what it asked for, in sentences for people. Does not know what is done about it.

/// What the daemon says when it refuses a request (contract §5).
public struct DaemonError: Error, Equatable, Sendable {
    /// What kind of refusal it is.
    public let code: WireError.Code
    /// One sentence for people, in the daemon's words.
    public let message: String
    package let data: RawJSON?

    /// What else the daemon says: the path at fault, the value and revision that it found.
    public var details: Value? { try? data?.value() }

    package init(code: WireError.Code, message: String, data: RawJSON? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }
}

/// How a request, or waiting for messages, can fail.
public enum ClientError: Error, Equatable, Sendable {
    /// There is no daemon at the path.
    case unreachable(SocketError)
    /// The daemon said no.
    case refused(DaemonError)
    /// The daemon ended the connection and said why (contract §6).
    case goodbye(reason: String)
    /// The connection ended without a goodbye; the `errno`, or zero at the end of input.
    case connectionLost(code: Int32)
    /// What came is no message of the contract.
    case malformed(String)
    /// It took longer than was asked for.
    case timedOut
    /// Whoever asked has gone: the task was cancelled, the client closed, or nobody reads the output.
    case abandoned
    /// The value at the path is none of the type that was asked for.
    case unexpected(path: String, value: String)
}

extension ClientError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .unreachable(let error): error.description
        case .refused(let error): error.message
        case .goodbye("shutdown"): "the daemon is shutting down"
        case .goodbye("accessDenied"):
            "this user may not connect: the daemon's configuration names no rule for it"
        case .goodbye("accessChanged"): "the daemon's rules for other users have changed"
        case .goodbye("overflow"): "the daemon cut the connection because it was read too slowly"
        case .goodbye(let reason): "the daemon ended the connection: \(reason)"
        case .connectionLost(0): "the daemon has gone"
        case .connectionLost(let code): "the connection to the daemon broke: \(SocketError.text(of: code))"
        case .malformed(let what): "what listens on the socket does not speak the daemon's protocol: \(what)"
        case .timedOut: "timed out"
        case .abandoned: "the output has no reader any more"
        case .unexpected(let path, let value):
            "\(path) is \(value), which is not a value of the requested type"
        }
    }
}
