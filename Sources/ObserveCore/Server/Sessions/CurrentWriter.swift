// SPDX-License-Identifier: MIT
// The author of the request under way. Independent of the requests' effects.

@safe struct CurrentWriter: ~Copyable {
    /// The session whose requests are being executed.
    unowned(unsafe) private(set) var session: Session?
    /// Whether ``session`` has a grant. The fast paths read only this byte.
    private(set) var isRestricted = false
    /// See ``CommitAuthor/occasion``.
    var occasion: Int64 = 0
    /// The system's clock, in milliseconds since 1970; tests replace it.
    var timeOfDay: () -> Int64 = { Platform.timeOfDay }
    /// The daemon's own process: the author of changes that no client requests.
    var process = PeerCredentials(pid: Platform.pid, uid: Platform.uid, gid: Platform.gid)

    @inline(__always) mutating func act(for session: Session?) {
        unsafe self.session = session
        isRestricted = session?.grant != nil
    }

    /// The restrictions of the client; nil for the daemon's own user, root, and the program itself.
    @inline(__always) var grant: Grant? { unsafe session?.grant }

    var isIdle: Bool { unsafe session == nil && occasion == 0 }
}
