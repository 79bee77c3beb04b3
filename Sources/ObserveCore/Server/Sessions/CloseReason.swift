// SPDX-License-Identifier: MIT
// Why a connection ended, as in `goodbye` and in the log.

enum CloseReason: String {
    case peerClosed
    case overflow
    /// A pattern has come to match more paths than it may.
    case tooManyMatches
    /// The client began a line, a dump or a load, and then sent nothing for too long.
    case idle
    case shutdown
    /// A newer program takes the tree and the socket over.
    case upgrade
    case tooManyConnections
    /// No access rule admits the client's user.
    case accessDenied
    /// The access rules changed after they had admitted the client's user.
    case accessChanged
    /// The journal's disk is broken. The daemon continues from what it has kept.
    case journalFailed
    /// The client read nothing, or too slowly, after its `goodbye`.
    case unresponsive
    case failed

    /// Whether it comes before the client has caught up.
    var isSudden: Bool {
        switch self {
        case .overflow, .journalFailed, .accessChanged, .accessDenied, .tooManyConnections, .tooManyMatches:
            true
        default: false
        }
    }
}
