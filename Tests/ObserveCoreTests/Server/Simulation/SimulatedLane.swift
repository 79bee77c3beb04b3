// SPDX-License-Identifier: MIT
// One property that one connection writes: its value shows which writes took effect. Independent of connections.

/// The acknowledged value of a property, and those that may follow it.
final class SimulatedLane {
    let name: String
    /// The value of the last acknowledged write; 0 before the first.
    private(set) var acknowledged: Int64 = 0
    /// Writes without an answer, in order.
    private var open: [Int64] = []
    /// Writes that may have taken effect though they have no answer, or were refused before a crash.
    private var possible: Set<Int64> = []
    private var last: Int64 = 0
    /// Whether a client has a connection that writes it.
    private(set) var isTaken = false

    init(_ name: String) { self.name = name }

    func begin() { isTaken = true }

    /// The value of the next write.
    func next() -> Int64 {
        last += 1
        open.append(last)
        return last
    }

    func acknowledge(_ value: Int64) {
        acknowledged = value
        open.removeAll { $0 <= value }
        possible = possible.filter { $0 > value }
    }

    /// The server refused the write.
    func refuse(_ value: Int64, mayStay: Bool) {
        open.removeAll { $0 == value }
        if mayStay { possible.insert(value) }
    }

    /// The connection has ended.
    ///
    /// - Parameter isComplete: whether the server answered every request that it executed.
    func end(isComplete: Bool) {
        isTaken = false
        if !isComplete { possible.formUnion(open) }
        open = []
    }

    /// Whether the property may have this value now.
    func allows(_ value: Int64) -> Bool {
        value == acknowledged || open.contains(value) || possible.contains(value)
    }

    /// Earlier writes may be lost: takes this value for the acknowledged one.
    func reset(to value: Int64) {
        acknowledged = value
        possible = []
        open = []
    }
}
