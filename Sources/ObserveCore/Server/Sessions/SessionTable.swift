// SPDX-License-Identifier: MIT
// The open sessions of a server. Independent of what their clients do.

struct SessionTable: ~Copyable {
    private var byNumber: [Int32: Session] = [:]
    /// Sessions with new output, each once.
    var dirty: [Session] = []
    /// Buffers for the output of the next ones.
    var spares = SpareBuffers()
    var turns = Turns()
    /// The load whose arrays are being built. One at a time: they take several times the memory of their text.
    private weak var building: Intake?
    /// Closed sessions with subscriptions that are still to be removed.
    var departing: [Session] = []
    private var numbering = Numbering()
    var admissions = Admissions()
    var buffered: BufferedBytes

    init(_ limits: ClientLimits) { buffered = BufferedBytes(limits) }

    var count: Int { byNumber.count }
    var all: some Collection<Session> { byNumber.values }
    /// The same in the order of their numbers.
    var inOrder: [Session] { byNumber.values.sorted { $0.number < $1.number } }

    subscript(_ number: Int32) -> Session? { byNumber[number] }

    func contains(_ session: Session) -> Bool { byNumber[session.number] === session }

    mutating func open(_ session: Session) {
        repeat { numbering.advance() } while byNumber[numbering.last] != nil
        session.author.number = numbering.last
        byNumber[numbering.last] = session
    }

    mutating func close(_ session: Session) {
        guard contains(session) else { return }
        byNumber[session.number] = nil
        admissions.remove(session)
    }

    /// Whether the load's arrays may be built now. If so, others wait until it is assigned or dropped.
    mutating func mayBuild(_ intake: Intake) -> Bool {
        if building == nil { building = intake }
        return building === intake
    }

    /// Reserves the numbers that sessions of an earlier process had.
    mutating func reserve(numbersUpTo number: Int32) { numbering.last = max(numbering.last, number) }
}

/// The numbers of admitted sessions. Refused ones do not count, so a flood of them keeps no one out.
///
/// A session with a grant is another user's than the daemon's own and root. These have a limit each, and together leave some
/// connections to the daemon's own user and root.
struct Admissions {
    private(set) var count = 0
    private var others = 0
    private var byUser: [UInt32: Int] = [:]

    /// False, with nothing done, if the session is one too many.
    mutating func add(_ session: Session, _ limits: ClientLimits) -> Bool {
        guard count < limits.maxConnections else { return false }
        if session.grant != nil {
            let user = session.author.user
            let present = byUser[user] ?? 0
            guard others < limits.maxOtherConnections, present < limits.maxConnectionsPerUser
            else { return false }
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
