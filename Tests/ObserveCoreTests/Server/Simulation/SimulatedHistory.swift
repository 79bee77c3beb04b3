// SPDX-License-Identifier: MIT
// The states of a tree by their revisions, as a test saw them. Independent of the tree's own history.

@testable import ObserveCore

/// One history of a tree: an epoch, as far as commits followed each other in it.
final class SimulatedHistory {
    private struct State {
        let image: TreeImage
        /// Everything that a start has to find: several states, if temporary values changed without a new revision.
        var dumps: [String]
    }

    let epoch: String
    private var states: [UInt64: State] = [:]
    private(set) var revision: UInt64 = 0
    /// The greatest revision that a client has got.
    private(set) var seen: UInt64 = 0
    /// States that a broken disk was not asked to keep. Until the disk has later ones, a start may find them.
    private var dropped: [(fork: UInt64, states: [UInt64: State])] = []

    init(epoch: String, _ tree: ModelTree) {
        self.epoch = epoch
        note(tree)
    }

    /// Notes the state of the tree, between two commits.
    func note(_ tree: ModelTree) {
        revision = tree.revision
        let dump = SimulatedHistory.dump(of: tree)
        let dumps = states[revision]?.dumps ?? []
        // Temporary values change without a revision.
        if dumps.last != dump { states[revision] = State(image: TreeImage(tree), dumps: dumps + [dump]) }
    }

    private func drop(after last: UInt64) {
        dropped.append((last, states.filter { $0.key > last }))
        truncate(to: last)
    }

    private func truncate(to last: UInt64) {
        for lost in states.keys where lost > last { states[lost] = nil }
        revision = last
    }

    /// Notes that a client got this revision: no earlier one may be lost, and none of another branch found.
    func noteSeen(_ revision: UInt64) {
        guard revision > seen else { return }
        seen = revision
        dropped.removeAll { $0.fork < revision }
    }

    /// Continues with the state that a start has found.
    ///
    /// - Parameter mayFindLater: whether the disk may have later states, which another start may find.
    /// - Returns: false if the tree never had this state.
    func resume(_ tree: ModelTree, mayFindLater: Bool) -> Bool {
        if contains(tree) {
            if mayFindLater { drop(after: tree.revision) } else { truncate(to: tree.revision) }
            return true
        }
        let dump = SimulatedHistory.dump(of: tree)
        for branch in dropped where branch.states[tree.revision]?.dumps.contains(dump) == true {
            truncate(to: branch.fork)
            for (number, state) in branch.states where number <= tree.revision { states[number] = state }
            revision = tree.revision
            return true
        }
        return false
    }

    func image(_ revision: UInt64) -> TreeImage? { states[revision]?.image }

    /// Whether the tree has had this state at its revision.
    func contains(_ tree: ModelTree) -> Bool {
        states[tree.revision]?.dumps.contains(SimulatedHistory.dump(of: tree)) == true
    }

    func dumps(_ revision: UInt64) -> [String] { states[revision]?.dumps ?? [] }

    /// Without bindings: the journal records the end of a binding before it ends, and not as a commit. Without the times
    /// at which values expire: the system's clock may have been set.
    static func dump(of tree: ModelTree) -> String { tree.stateDump(hasTimes: false) { _ in false } }
}
