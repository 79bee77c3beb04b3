// SPDX-License-Identifier: MIT
// Restores the tree from the files in a folder, and continues the journal. Independent of the lines' contents.

struct Recovery {
    let tree: ModelTree
    let disk: any StateDisk
    let conditions: StartConditions
    let loader: StateLoader
    var notes: [String] = []

    var revision: UInt64 = 0
    var snapshotEnd: UInt64 = 0
    var snapshotBytes = 0
    /// The first line of the snapshot, if there is one.
    var header: SnapshotHeader?
    var last: Identity?
    var isClean = true

    /// The end of a journal, and so of the state if it is not whole.
    enum Ending {
        case whole
        /// The journal is cut off where the power was lost before a sync. All later commits are lost as well.
        case lost
        /// The journal follows commits that are lost.
        case afterLoss
        /// The journal is cut off where it is damaged, and so are all later commits.
        case salvaged
    }

    struct Identity {
        let epoch: String
        let boot: String
        let durability: String
    }

    /// The first journal that the snapshot needs.
    var firstNumber: Int { header?.number ?? 1 }

    private init(_ tree: ModelTree, _ disk: any StateDisk, _ conditions: StartConditions) {
        self.tree = tree
        self.disk = disk
        self.conditions = conditions
        loader = StateLoader(tree, clock: WallClock(offset: conditions.clockOffset))
    }

    /// Restores a tree that has only its types, and continues its journal. Returns the journal, and sentences for the log.
    static func open(_ tree: ModelTree, on disk: any StateDisk, _ conditions: StartConditions)
        throws(StateError) -> (journal: Journal, notes: [String])
    {
        var recovery = Recovery(tree, disk, conditions)
        return (try recovery.run(), recovery.notes)
    }

    private mutating func run() throws(StateError) -> Journal {
        let names = try attempt(disk.names)
        let parts = [StateFile.freshJournal, StateFile.freshSnapshot, StateFile.freshDump]
        for name in names where parts.contains(name) { try? disk.remove(name) }
        var numbers = names.compactMap(StateFile.number).sorted()
        if let end = conditions.end {
            filesToRemove = numbers.filter { $0 > end.number }.map(StateFile.journal)
            numbers.removeAll { $0 > end.number }
        }
        let hasSnapshot = names.contains(StateFile.snapshot)
        if !hasSnapshot, numbers.isEmpty { return try begin() }
        if hasSnapshot { try readSnapshot() }
        try check(&numbers, hasSnapshot: hasSnapshot)
        try findStart(in: numbers)
        try dropUnbegun(&numbers)
        var length = 0
        for (index, number) in numbers.enumerated() {
            length = try readJournal(number, isLast: index == numbers.count - 1)
            if ending == .afterLoss { (length, chain) = before }
            guard ending == .whole else {
                let rest = ending == .afterLoss ? index : index + 1
                try remove(numbers[rest...])
                numbers.removeSubrange(rest...)
                break
            }
            before = (length, chain)
        }
        try finishPatching()
        guard !loader.isPatching else {
            let why =
                "it needs the commits up to revision \(snapshotEnd), and the journal ends at \(revision)"
            throw .inconsistent(StateFile.snapshot, line: 1, why: why)
        }
        do throws(StateFault) { try loader.finish() } catch {
            if error.exceedsLimit { throw .tooDeep(error.sentence) }
            throw .inconsistent(StateFile.journal(firstNumber), line: 1, why: error.sentence)
        }
        return try resume(numbers.last ?? firstNumber, length)
    }
    /// The length of the journal before, and the place behind its last line.
    var before = (length: 0, chain: LineChain())
    /// The place behind the last line that was read.
    var chain = LineChain()
    var ending = Ending.whole
    /// Acknowledged commits may be missing, so no client can resume.
    var mayLackCommits = false
    var olderBytes = 0
    /// Files to remove before the first write.
    var filesToRemove: [String] = []
    var mustTruncate = false
    /// A process has started here since the system did: what precedes its first line was whole then, and no power was lost since.
    var hasStartOfBoot = false
    /// The last journal, if it was read before its turn.
    var peeked: (number: Int, bytes: [UInt8])?

    // MARK: Files

    private mutating func remove(_ numbers: ArraySlice<Int>) throws(StateError) {
        for later in numbers {
            let name = StateFile.journal(later)
            if ending == .salvaged {
                let copy = try attempt { () throws(DiskError) in
                    let copy = try disk.freeName(StateFile.damaged(name, at: 0))
                    try disk.rename(name, to: copy)
                    return copy
                }
                notes.append("\(name) follows the damage: it is now \(copy)")
            } else {
                notes.append("\(name) follows commits that were lost with the power: it is removed")
                filesToRemove.append(name)
            }
        }
    }

    /// Whether the power was lost while acknowledged commits did not have to be on the disk.
    var mayHaveLostTail: Bool {
        guard let last, !hasStartOfBoot else { return false }
        return last.durability != Durability.commit.rawValue && last.boot != conditions.boot
    }

    /// What proves that lines before it were whole once.
    var proof: LineProof {
        guard let last else { return hasStartOfBoot ? .lineFeed : .wholeLine }
        if hasStartOfBoot || !conditions.boot.isEmpty && last.boot == conditions.boot { return .lineFeed }
        if mayHaveLostTail { return .safeLine }
        return last.durability == Durability.commit.rawValue ? .syncedLine : .wholeLine
    }

    private mutating func check(_ numbers: inout [Int], hasSnapshot: Bool) throws(StateError) {
        // The snapshot replaced these, but they were not removed.
        for number in numbers where number < firstNumber { try? disk.remove(StateFile.journal(number)) }
        numbers.removeAll { $0 < firstNumber }
        guard let first = numbers.first, first == firstNumber else {
            if !hasSnapshot {
                throw .missing(StateFile.snapshot, why: "\(StateFile.journal(numbers[0])) follows it")
            }
            throw .missing(StateFile.journal(firstNumber), why: "the snapshot is not whole without it")
        }
        for (index, number) in numbers.enumerated() where number != first + index {
            throw .missing(StateFile.journal(first + index), why: "\(StateFile.journal(number)) follows it")
        }
    }

    // MARK: Ends

    /// Whether acknowledged commits may be lost: the last process did not end by itself, and its durability was too weak.
    private var mayHaveLost: Bool {
        guard let last, !isClean else { return false }
        return switch Durability(rawValue: last.durability) {
        case .commit: false
        case .interval: last.boot != conditions.boot
        default: true
        }
    }

    private mutating func finishPatching() throws(StateError) {
        guard loader.isPatching, revision >= snapshotEnd else { return }
        do throws(StateFault) { try loader.finishPatching(revision: revision) } catch {
            throw .inconsistent(StateFile.snapshot, line: 1, why: error.sentence)
        }
    }

    private mutating func begin() throws(StateError) -> Journal {
        try finishPatching()
        let header = ByteBuffer()
        let journal = journal(file(1, 0), conditions.freshEpoch)
        journal.appendHeader(number: 1, to: header)
        try attempt { () throws(DiskError) in try journal.file.make(header) }
        tree.record(with: journal)
        return journal
    }

    private mutating func resume(_ number: Int, _ length: Int) throws(StateError) -> Journal {
        var why: String?
        if mayLackCommits || mayHaveLost {
            let fault = "the last run did not end by itself, and may have reported commits that are lost: "
            why = ending == .salvaged ? "" : fault
            tree.forgetHistory()
        } else if tree.forgetInexactHistory() {
            why = "limits.maxElements left computed properties without a value, and now others may lack one: "
        }
        if let why { notes.append("\(why)a new epoch begins") }
        let epoch = why == nil ? last?.epoch : nil
        let journal = journal(file(number, length), epoch ?? conditions.freshEpoch)
        journal.begin()
        tree.record(with: journal)
        guard !journal.needsProof else { return journal }
        do throws(DiskError) { try journal.writePrologue() } catch {
            notes.append("nothing can be written: \(error); until it can, writes are refused")
        }
        return journal
    }

    private func file(_ number: Int, _ length: Int) -> JournalFile {
        JournalFile(
            on: disk,
            number: number,
            length: length,
            conditions,
            chain: chain,
            mustTruncate: mustTruncate,
            filesToRemove: filesToRemove
        )
    }

    private func journal(_ file: consuming JournalFile, _ epoch: String) -> Journal {
        Journal(
            tree.reader,
            file,
            SnapshotRotation(firstNumber: firstNumber, olderBytes: olderBytes, snapshotBytes: snapshotBytes),
            on: disk,
            conditions,
            epoch: epoch,
            clock: loader.clock
        )
    }

    @discardableResult func attempt<R>(_ body: () throws(DiskError) -> R) throws(StateError) -> R {
        do throws(DiskError) { return try body() } catch { throw .disk(error) }
    }
}
