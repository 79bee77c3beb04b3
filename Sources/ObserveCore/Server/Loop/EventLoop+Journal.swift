// SPDX-License-Identifier: MIT
// The hub's journal on a real disk. Slow disk work runs on queues of its own.

internal import Dispatch

extension EventLoop {
    /// Opens the journal on the disk, and restores the tree from it.
    func keepState(
        on disk: any StateDisk,
        _ durability: Durability,
        salvages: Bool,
        upTo end: JournalPlace?,
        _ mailbox: Mailbox
    ) throws(StateError) -> [String] {
        var conditions = StartConditions(
            durability: durability,
            boot: Platform.boot,
            clockOffset: Platform.clockOffset,
            freshEpoch: journaling.epoch
        )
        conditions.salvages = salvages
        conditions.end = end
        let (journal, notes) = try Recovery.open(hub.tree, on: disk, conditions)
        let queue = DispatchQueue(label: "observed.journal")
        journaling.worker = { work in
            queue.async {
                let error = work()
                mailbox.post { $0.journaling.finishJournalWork(error) }
            }
        }
        journaling.keep(journal)
        return notes + (hub.tree.reader.declarations?.faultyTemplates(hub.tree.limits) ?? [])
    }
}
