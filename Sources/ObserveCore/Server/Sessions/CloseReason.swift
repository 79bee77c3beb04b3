// SPDX-License-Identifier: MIT
// Why connections end, and the names of the reasons in `goodbye`.

/// Why a connection ended. Every close has one of these reasons.
package enum CloseReason: Equatable, Sendable {
    case peerClosed
    case overflow
    case shutdown
    case tooManyConnections
    /// No access rule admits the client's user.
    case accessDenied
    /// The access rules changed after they had admitted the client's user.
    case accessChanged
    /// The client read nothing for too long after its `goodbye`.
    case unresponsive
    case failed(errno: Int32)

    /// The reason in `goodbye` and in the log.
    package var name: StaticString {
        switch self {
        case .peerClosed: "peerClosed"
        case .overflow: "overflow"
        case .shutdown: "shutdown"
        case .tooManyConnections: "tooManyConnections"
        case .accessDenied: "accessDenied"
        case .accessChanged: "accessChanged"
        case .unresponsive: "unresponsive"
        case .failed: "failed"
        }
    }
}
