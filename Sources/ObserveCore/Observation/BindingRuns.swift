// SPDX-License-Identifier: MIT
// The runs of bindings in one commit, and the cause of each. Independent of values and queues.

/// The runs of bindings in one commit. They find the order of bindings, and cycles.
///
/// Bindings do not declare what they assign, so their runs show it. If a run assigns an input of another binding, that
/// one belongs behind it: its *height* grows. Bindings run in the order of their heights, which they keep. So
/// without cycles, a binding runs once in a commit, as soon as each one before it has run once.
///
/// A binding is in a cycle if one of its own runs caused that it is stale again. Such a *round* does not change the
/// order. The commit skips a binding after ``maxRounds``.
@safe struct BindingRuns: ~Copyable {
    /// The rounds of a cycle in one commit.
    static let maxRounds: Int32 = 100

    // Not private: then Swift 6.3 makes a module that LLVM refuses.
    struct Run {
        /// The number of the binding's observer; zero for the hosts.
        let binding: UInt64
        let height: Int
        /// The run that made this one necessary, or -1.
        let cause: Int32
        let round: Int32
        /// The assigned property. Debug builds only.
        let property: ChangedProperty?
    }

    private var runs = Scratch<Run>()
    private var current: Int32 = -1
    /// The run that last concerned a host.
    private var hostCause: Int32 = -1

    /// Whether a binding or a host is assigning.
    @inline(__always) var isRunning: Bool { current >= 0 }

    /// Whether a host is assigning.
    var isHost: Bool { isRunning && runs[Int(current)].binding == 0 }

    /// Whether the current run is one that the binding itself caused.
    var isRound: Bool { isRunning && runs[Int(current)].round > 0 }

    /// Begins a run. What it assigns is its consequence.
    mutating func begin(_ binding: UInt64, _ order: BindingOrder, because property: ChangedProperty?) {
        let cause = order.cause < runs.count ? order.cause : -1
        begin(
            Run(binding: binding, height: order.height, cause: cause, round: order.round, property: property)
        )
    }

    private mutating func begin(_ run: Run) {
        current = Int32(runs.count)
        runs.append(run)
    }

    mutating func end() { current = -1 }

    mutating func concernHost() { if isRunning { hostCause = current } }

    /// Begins the assignments of the hosts.
    mutating func beginHosts() {
        let height = hostCause < 0 ? -1 : runs[Int(hostCause)].height
        begin(Run(binding: 0, height: height, cause: hostCause, round: 0, property: nil))
    }

    /// Ends the commit.
    mutating func removeAll() {
        runs.removeAll()
        hostCause = -1
    }

    /// Notes that the current run touched a binding. Only one that ran in this commit may be in a cycle.
    mutating func touch(_ binding: UInt64, _ order: inout BindingOrder, isStale: Bool, ranThisCommit: Bool) {
        if ranThisCommit, let former = ancestor(binding) {
            if !isStale { (order.cause, order.round) = (current, runs[Int(former)].round + 1) }
            return
        }
        if !isStale { (order.cause, order.round) = (current, 0) }
        order.height = max(order.height, runs[Int(current)].height + 1)
    }

    /// The last run of that binding among the causes of the current run.
    private func ancestor(_ binding: UInt64) -> Int32? {
        var index = current
        while index >= 0, runs[Int(index)].binding != binding { index = runs[Int(index)].cause }
        return index < 0 ? nil : index
    }

    /// The properties in the cycle that leads from the binding's last run back to it, as in `A.x → B.y → A.x`.
    func cycle(of binding: UInt64, _ order: BindingOrder) -> String {
        var names: [String] = []
        var index = order.cause
        while index >= 0 {
            let run = runs[Int(index)]
            if let property = run.property { names.append("\(property)") }
            if run.binding == binding { break }
            index = run.cause
        }
        names.reverse()
        return (names + names.prefix(1)).joined(separator: " → ")
    }
}

/// A binding's place among the others.
struct BindingOrder {
    /// Greater than the heights of the bindings that assign its inputs, as far as their runs showed.
    var height = 0
    /// The run that made it stale, or -1.
    fileprivate(set) var cause: Int32 = -1
    /// How often it ran because of itself.
    fileprivate(set) var round: Int32 = 0
    /// The last commit in which it ran.
    var lastCommit: UInt64 = 0

    /// Whether it is in a cycle that does not agree.
    var isEndless: Bool { round > BindingRuns.maxRounds }

    /// Notes that other code than a binding made it stale.
    mutating func touchFromOutside() { (cause, round) = (-1, 0) }
}
