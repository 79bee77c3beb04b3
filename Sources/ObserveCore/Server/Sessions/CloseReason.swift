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

    /// Whether it comes before the client has caught up.
    var isSudden: Bool {
        switch self {
        case .overflow, .journalFailed, .accessChanged, .accessDenied, .tooManyConnections, .tooManyMatches:
            true
        default: false
        }
    }
}
