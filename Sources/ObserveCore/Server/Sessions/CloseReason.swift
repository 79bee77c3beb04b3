// SPDX-License-Identifier: MIT
// Why a connection ended, as in the log and in `goodbye`: "Goodbye" in docs/protocol.md.

enum CloseReason: String {
    case peerClosed
    case overflow
    case tooManyMatches
    case idle
    case shutdown
    case upgrade
    case tooManyConnections
    case accessDenied
    case accessChanged
    case journalFailed
    /// The client read nothing, or too slowly, after its `goodbye`.
    case unresponsive
    case failed

    /// Whether the `goodbye` is sent before the client has caught up: after `accessChanged`, its marks may be of paths that it
    /// must not read.
    var skipsCatchingUp: Bool {
        switch self {
        case .overflow, .journalFailed, .accessChanged, .accessDenied, .tooManyConnections, .tooManyMatches:
            true
        default: false
        }
    }
}
