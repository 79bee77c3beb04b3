// SPDX-License-Identifier: MIT
// How many clients may be connected, in all and of each user. Independent of sockets and of access rules.

/// The numbers of admitted sessions. Refused ones do not count, so a flood of them keeps no one out.
///
/// A session with a grant belongs to another user than the daemon's own and root. These users have a limit each,
/// and together leave some connections to the daemon's own user and root.
struct Admissions {
    private(set) var count = 0
    private var others = 0
    private var byUser: [UInt32: Int] = [:]

    /// - Returns: false, with nothing done, if the session is one too many.
    mutating func add(_ session: Session, _ limits: ClientLimits) -> Bool {
        guard count < limits.maxConnections else { return false }
        if session.grant != nil {
            let user = session.author.user
            let present = byUser[user] ?? 0
            guard others < limits.maxOtherConnections, present < limits.maxConnectionsPerUser else {
                return false
            }
            byUser[user] = present + 1
            others += 1
        }
        count += 1
        session.isAdmitted = true
        return true
    }

    mutating func remove(_ session: Session) {
        guard session.isAdmitted else { return }
        session.isAdmitted = false
        count -= 1
        guard session.grant != nil, let present = byUser[session.author.user] else { return }
        others -= 1
        byUser[session.author.user] = present > 1 ? present - 1 : nil
    }
}
