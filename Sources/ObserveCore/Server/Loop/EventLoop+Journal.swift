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
        journaling.syncer = BatchSyncer(mailbox)
        journaling.keep(journal)
        return notes + (hub.tree.reader.declarations?.faultyTemplates(hub.tree.limits) ?? [])
    }
}

/// Syncs on a queue of its own.
private final class BatchSyncer: JournalSyncer {
    private let queue = DispatchQueue(label: "observed.sync")
    private let outcome: Confined<DiskError?>
    private let mailbox: Mailbox

    init(_ mailbox: Mailbox) {
        self.mailbox = mailbox
        outcome = Confined(nil, on: queue)
    }

    func start(_ work: @escaping @Sendable () -> DiskError?, _ batch: UInt64) {
        queue.async { [outcome, mailbox] in
            let error = work()
            outcome.withState { $0 = error }
            mailbox.post { $0.journaling.syncDidFinish(batch, error) }
        }
    }

    func wait() -> DiskError? { queue.sync { outcome.withState { $0 } } }
}
