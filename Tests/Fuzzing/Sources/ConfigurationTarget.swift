// SPDX-License-Identifier: MIT
// A configuration is faulty, or a tree gets it; a second one replaces it, and a repetition changes nothing.
//
// The directive `!then` separates configurations for one tree. Each is given to a new tree too.

@testable import ObserveCore
@testable import observed

func fuzzConfiguration(_ input: [UInt8]) {
    let tree = ModelTree()
    tree.keepHistory(commits: 100)
    for case .bytes(let text) in parts(of: input) {
        let configuration: Configuration
        do throws(ConfigurationFaults) { configuration = try Configuration(json: text) } catch {
            require(!error.faults.isEmpty, "refused without a fault")
            require(error.faults.allSatisfy { !$0.description.isEmpty }, "a fault without a description")
            continue
        }
        let fresh = ModelTree(limits: configuration.limits.tree)
        requireEqual(configuration.layOut(in: fresh).map(\.description), [], "the second time")
        requireEqual(fresh.faults(), [], "in a new tree")
        adapt(tree, configuration)
    }
}

private func adapt(_ tree: ModelTree, _ configuration: Configuration) {
    let (revision, before) = (tree.revision, tree.stateDump)
    let first = configuration.adapt(tree, mayLose: false, atStart: false)
    requireEqual(tree.faults(), [], "after adapting: \(first)")
    if !first.misfits.isEmpty {
        requireEqual(tree.stateDump, before, "misfits changed the tree")
        requireEqual(tree.revision, revision, "misfits made a commit")
    }
    if !first.isDone {
        let second = configuration.adapt(tree, mayLose: true, atStart: true)
        requireEqual(tree.faults(), [], "after adapting with losses: \(second)")
        guard second.isDone else { return }
    }
    let after = tree.stateDump
    let again = configuration.adapt(tree, mayLose: false, atStart: false)
    require(again.isDone, "refused the second time: \(again)")
    requireEqual(tree.stateDump, after, "the second time changes the tree")
}
