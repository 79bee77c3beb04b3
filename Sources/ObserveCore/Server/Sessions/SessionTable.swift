// SPDX-License-Identifier: MIT
// The open sessions of a hub. Independent of what their clients do.

/// All open sessions, and those with output that the transport has not been offered.
struct SessionTable: ~Copyable {
    private var byIdentity: [ObjectIdentifier: Session] = [:]
    /// Sessions with new output, each once.
    var dirty: [Session] = []
    /// The number of the newest session. Numbers count up and are not reused.
    private var lastNumber: Int32 = 0

    var count: Int { byIdentity.count }
    var all: some Collection<Session> { byIdentity.values }

    func contains(_ session: Session) -> Bool { byIdentity[ObjectIdentifier(session)] != nil }

    mutating func open(_ session: Session) {
        byIdentity[ObjectIdentifier(session)] = session
        lastNumber += 1
        session.author.number = lastNumber
    }

    mutating func close(_ session: Session) { byIdentity[ObjectIdentifier(session)] = nil }

    /// Reserves the numbers that sessions of an earlier process had.
    mutating func reserve(numbersUpTo number: Int32) { lastNumber = max(lastNumber, number) }

    /// Removes and returns the dirty sessions.
    mutating func popDirty() -> [Session] {
        let popped = dirty
        dirty.removeAll(keepingCapacity: true)
        return popped
    }
}
