// SPDX-License-Identifier: MIT
// From the files in a folder to the tree that they keep, and a journal that goes on. Knows no lines' insides.

/// What is known when the process starts.
package struct StartConditions: Sendable {
    package var durability: Durability
    /// Names the system's run: what was not on the disk has not outlived another.
    package var boot: String
    /// What the system's clock shows when the monotonic one shows zero, in milliseconds since 1970.
    package var clockOffset: Int64
    /// Names a history that begins now.
    package var freshEpoch: String

    package init(durability: Durability, boot: String, clockOffset: Int64, freshEpoch: String) {
        self.durability = durability
        self.boot = boot
        self.clockOffset = clockOffset
        self.freshEpoch = freshEpoch
    }
}

/// Reads what was kept.
struct Recovery {
    private let tree: ModelTree
    private let disk: any StateDisk
    private let conditions: StartConditions
    private let loader: StateLoader
    /// What people should know, one sentence each.
    private(set) var notes: [String] = []

    private var revision: UInt64 = 0
    /// The revision at which the snapshot ended.
    private var snapshotEnd: UInt64 = 0
    private var snapshotBytes = 0
    private var firstNumber = 1
    private var last: Identity?
    private var isClean = true
    private var historyLimit = 0

    /// Who wrote to the journal last.
    private struct Identity {
        let epoch: String
        let boot: String
        let durability: String
    }

    private init(_ tree: ModelTree, _ disk: any StateDisk, _ conditions: StartConditions) {
        self.tree = tree
        self.disk = disk
        self.conditions = conditions
        loader = StateLoader(tree, clock: WallClock(offset: conditions.clockOffset))
    }

    /// Fills the tree, in which nothing but types is declared, from the disk, and goes on with the journal there.
    ///
    /// - Returns: the journal, and sentences for the log.
    static func open(_ tree: ModelTree, on disk: any StateDisk, _ conditions: StartConditions)
        throws(StateError) -> (journal: Journal, notes: [String])
    {
        var recovery = Recovery(tree, disk, conditions)
        return (try recovery.run(), recovery.notes)
    }

    private mutating func run() throws(StateError) -> Journal {
        historyLimit = tree.history.commitLimit
        tree.history.commitLimit = 0
        let names = try attempt(disk.names)
        for name in names where name == StateFile.freshJournal || name == StateFile.freshSnapshot {
            try? disk.remove(name)
        }
        var numbers = names.compactMap(StateFile.number).sorted()
        let hasSnapshot = names.contains(StateFile.snapshot)
        if !hasSnapshot, numbers.isEmpty { return try begin() }
        if hasSnapshot { try readSnapshot() }
        try check(&numbers, hasSnapshot: hasSnapshot)
        var length = 0
        for (index, number) in numbers.enumerated() {
            length = try readJournal(number, isLast: index == numbers.count - 1)
            if isAfterLoss {
                remove(numbers[index...])
                numbers.removeSubrange(index...)
                length = lengthBefore
                break
            }
            // It was begun, and never came to be: the one before is the last.
            if length == 0, number != firstNumber {
                numbers.removeLast()
                length = lengthBefore
                break
            }
            if isCutOff {
                remove(numbers[(index + 1)...])
                numbers.removeSubrange((index + 1)...)
                break
            }
            lengthBefore = length
        }
        try finishPatching()
        guard !loader.isPatching else {
            throw .inconsistent(
                StateFile.snapshot,
                line: 1,
                why: "it needs the commits up to revision \(snapshotEnd), and the journal ends at \(revision)"
            )
        }
        do throws(StateFault) { try loader.finish() } catch {
            throw .inconsistent(StateFile.journal(firstNumber), line: 1, why: error.sentence)
        }
        return try goOn(numbers.last ?? firstNumber, length)
    }
    private var lengthBefore = 0
    /// The journal was cut off where a sync had not come before the power was lost: what came after it is lost as well.
    private var isCutOff = false
    /// This journal goes on from what is lost.
    private var isAfterLoss = false
    private var olderBytes = 0

    // MARK: Files

    private mutating func remove(_ numbers: ArraySlice<Int>) {
        for later in numbers {
            notes.append("\(StateFile.journal(later)) goes on from what was lost with the power: it was removed")
            try? disk.remove(StateFile.journal(later))
        }
    }

    /// Whether the power was lost while not all that was told of had to be on the disk.
    private var mayHaveLostTail: Bool {
        last.map { $0.durability != Durability.commit.rawValue && $0.boot != conditions.boot } ?? false
    }

    private mutating func check(_ numbers: inout [Int], hasSnapshot: Bool) throws(StateError) {
        // Those that the snapshot has made superfluous were to be removed.
        for number in numbers where number < firstNumber { try? disk.remove(StateFile.journal(number)) }
        numbers.removeAll { $0 < firstNumber }
        guard let first = numbers.first, first == firstNumber else {
            if !hasSnapshot {
                throw .missing(StateFile.snapshot, why: "\(StateFile.journal(numbers[0])) goes on from it")
            }
            throw .missing(StateFile.journal(firstNumber), why: "the snapshot is not whole without it")
        }
        for (index, number) in numbers.enumerated() where number != first + index {
            throw .missing(
                StateFile.journal(first + index),
                why: "\(StateFile.journal(number)) goes on from it"
            )
        }
    }

    private mutating func readSnapshot() throws(StateError) {
        let name = StateFile.snapshot
        guard let bytes = try attempt({ () throws(DiskError) in try disk.read(name) }) else { return }
        snapshotBytes = bytes.count
        var isWhole = false
        try ByteView.with(bytes) { (text) throws(StateError) in
            var lines = CheckedLines(text)
            reading: while true {
                switch lines.next() {
                case .line(let line):
                    if isWhole {
                        throw .inconsistent(name, line: lines.count, why: "nothing can follow its end")
                    }
                    isWhole = try take(snapshotLine: line, lines.count)
                case .torn(let offset), .broken(let offset):
                    if lines.count == 0 { throw .foreign(name, why: "is not a snapshot of ours") }
                    throw .damaged(name, line: lines.count + 1, offset: offset)
                case .end: break reading
                }
            }
            if lines.count == 0 { throw .foreign(name, why: "is empty") }
        }
        if !isWhole {
            throw .inconsistent(name, line: 1, why: "its end is missing")
        }
    }

    /// - Returns: whether it was the last.
    private mutating func take(snapshotLine line: JSONView, _ number: Int) throws(StateError) -> Bool {
        let name = StateFile.snapshot
        let members = Members(line)
        do throws(StateFault) {
            if number == 1 {
                guard let version = members["snapshot"]?.int64() else {
                    throw StateError.foreign(name, why: "is no snapshot\(Recovery.isJournal(members))").fault
                }
                guard version == SnapshotWriter.version else {
                    throw StateError.foreign(
                        name,
                        why: "is of version \(version), and this is version \(SnapshotWriter.version)"
                    ).fault
                }
                firstNumber = Int(clamping: members["number"]?.int64() ?? 0)
                revision = try StateLoader.revision(members["revision"])
                return false
            }
            guard let end = members["end"] else {
                try loader.load(slice: line)
                return false
            }
            snapshotEnd = try StateLoader.revision(end)
            tree.lastInstance = max(tree.lastInstance, try StateLoader.revision(members["instance"]))
            tree.lastBinding = Int32(clamping: members["binding"]?.int64() ?? 0)
            for binding in members["b"]?.elements ?? JSONView(view: line.view, kind: .null, hasEscapes: false).elements {
                try loader.load(binding: binding)
            }
            return true
        } catch {
            throw error.isForeign
                ? .foreign(name, why: error.sentence) : .inconsistent(name, line: number, why: error.sentence)
        }
    }

    private static func isJournal(_ members: Members) -> String {
        members["journal"] == nil ? " of ours" : ", but a journal"
    }

    /// - Returns: how much of it is whole.
    private mutating func readJournal(_ number: Int, isLast: Bool) throws(StateError) -> Int {
        let name = StateFile.journal(number)
        guard let bytes = try attempt({ () throws(DiskError) in try disk.read(name) }) else {
            throw .missing(name, why: "it was there a moment ago")
        }
        let whole = try ByteView.with(bytes) { (text) throws(StateError) in
            var lines = CheckedLines(text)
            while true {
                switch lines.next() {
                case .line(let line):
                    if lines.count == 1, mayHaveLostTail, goesBeyond(line) {
                        isAfterLoss = true
                        return 0
                    }
                    try take(journalLine: line, lines.count, of: number)
                case .broken(let offset): throw StateError.damaged(name, line: lines.count + 1, offset: offset)
                case .end: return lines.offset
                case .torn(let offset):
                    isCutOff = !isLast && mayHaveLostTail
                    guard isLast || isCutOff else { throw StateError.damaged(name, line: lines.count + 1, offset: offset) }
                    guard lines.count > 0 || number != firstNumber else {
                        throw StateError.foreign(name, why: "is not a journal of ours")
                    }
                    return offset
                }
            }
        }
        if isAfterLoss { return 0 }
        if whole == 0 {
            guard isLast, number != firstNumber else { throw .foreign(name, why: "is empty") }
            notes.append("\(name) was begun and never written to: it was removed")
            try attempt { () throws(DiskError) in try disk.remove(name) }
            return 0
        }
        if whole < bytes.count {
            notes.append(
                "the last \(bytes.count - whole) bytes of \(name), from byte \(whole) on, are no whole commit: they were cut off"
            )
            isClean = false
            try attempt { () throws(DiskError) in try disk.truncate(name, to: whole) }
        }
        if !isLast { olderBytes += whole }
        return whole
    }

    private func goesBeyond(_ header: JSONView) -> Bool {
        guard let begin = Members(header)["revision"]?.int64() else { return false }
        return begin > Int64(clamping: revision)
    }

    private mutating func take(journalLine line: JSONView, _ count: Int, of number: Int) throws(StateError) {
        let name = StateFile.journal(number)
        do throws(StateFault) {
            if count == 1 { return try take(header: line, of: number, name) }
            // The member's name is a letter where it is a commit.
            if line.view.byteOrZero(CheckedLine.headCount + 1) == UInt8(ascii: "r") {
                isClean = false
                if loader.isPatching, revision >= snapshotEnd {
                    try loader.finishPatching(revision: revision)
                    startHistory()
                }
                revision = try loader.load(commit: line, after: revision)
                return
            }
            let members = Members(line)
            if let start = members["start"] {
                try take(start: start)
            } else if members["stop"] != nil {
                isClean = true
            } else {
                throw StateFault("the line is of no known kind")
            }
        } catch {
            throw error.isForeign
                ? .foreign(name, why: error.sentence) : .inconsistent(name, line: count, why: error.sentence)
        }
    }

    private mutating func take(header line: JSONView, of number: Int, _ name: String) throws(StateFault) {
        let members = Members(line)
        guard let version = members["journal"]?.int64() else {
            let what = members["snapshot"] == nil ? " of ours" : ", but a snapshot"
            throw StateError.foreign(name, why: "is no journal\(what)").fault
        }
        guard version == SnapshotWriter.version else {
            throw StateError.foreign(
                name,
                why: "is of version \(version), and this is version \(SnapshotWriter.version)"
            ).fault
        }
        guard members["number"]?.int64() == Int64(number) else {
            throw StateFault("it is journal \(members["number"]?.int64() ?? 0), under another's name")
        }
        let begin = try StateLoader.revision(members["revision"])
        guard begin == revision else {
            throw StateFault("it goes on from revision \(begin), and what was kept before ends at \(revision)")
        }
        if let start = members["start"] { try take(start: start) }
    }

    private mutating func take(start: JSONView) throws(StateFault) {
        let members = Members(start)
        guard let epoch = members["epoch"], let boot = members["boot"], let durability = members["durability"] else {
            throw StateFault("a start has an epoch, a boot and a durability")
        }
        last = Identity(
            epoch: epoch.decodedString(),
            boot: boot.decodedString(),
            durability: durability.decodedString()
        )
        isClean = false
    }

    // MARK: Ends

    /// Whether what was acknowledged may be gone: the one who wrote last did not end, and its promise was too weak.
    private func mayHaveLost(boot: String) -> Bool {
        guard let last, !isClean else { return false }
        switch last.durability {
        case Durability.commit.rawValue: return false
        case Durability.interval.rawValue: return last.boot != boot
        default: return true
        }
    }

    private mutating func startHistory() {
        tree.keepHistory(commits: historyLimit)
        tree.equalAssignmentsNotedSince = tree.revision
    }

    private mutating func finishPatching() throws(StateError) {
        guard loader.isPatching, revision >= snapshotEnd else { return }
        do throws(StateFault) { try loader.finishPatching(revision: revision) } catch {
            throw .inconsistent(StateFile.snapshot, line: 1, why: error.sentence)
        }
        startHistory()
    }

    /// The folder is empty: a history begins.
    private mutating func begin() throws(StateError) -> Journal {
        do throws(StateFault) { try loader.finishPatching(revision: 0) } catch {
            throw .inconsistent(StateFile.snapshot, line: 1, why: error.sentence)
        }
        startHistory()
        let journal = journal(number: 1, length: 0, epoch: conditions.freshEpoch)
        let header = ByteBuffer()
        journal.appendHeader(number: 1, to: header)
        try attempt { () throws(DiskError) in
            try disk.make(StateFile.freshJournal)
            try disk.write(StateFile.freshJournal, header, at: 0)
            try disk.sync(StateFile.freshJournal)
            try disk.rename(StateFile.freshJournal, to: StateFile.journal(1))
            try disk.syncNames()
        }
        journal.length = header.count
        journal.syncedLength = header.count
        tree.record(with: journal)
        return journal
    }

    private mutating func goOn(_ number: Int, _ length: Int) throws(StateError) -> Journal {
        let isLost = mayHaveLost(boot: conditions.boot)
        if isLost {
            notes.append("the last run did not end by itself, and may have told of commits that are lost: a new epoch begins")
            tree.forgetHistory()
        }
        let journal = journal(
            number: number,
            length: length,
            epoch: isLost ? conditions.freshEpoch : last?.epoch ?? conditions.freshEpoch
        )
        journal.olderBytes = olderBytes
        journal.snapshotBytes = snapshotBytes
        journal.appendStart(to: journal.prologue)
        // What was read may not be on the disk: the first sync is for all of it.
        journal.syncedLength = 0
        tree.record(with: journal)
        do throws(DiskError) { try journal.write() } catch {
            notes.append("nothing can be written: \(error); until it can, writes are refused")
        }
        return journal
    }

    private func journal(number: Int, length: Int, epoch: String) -> Journal {
        Journal(
            tree,
            on: disk,
            durability: conditions.durability,
            epoch: epoch,
            boot: conditions.boot,
            clock: loader.clock,
            number: number,
            firstNumber: firstNumber,
            length: length
        )
    }

    @discardableResult
    private func attempt<R>(_ body: () throws(DiskError) -> R) throws(StateError) -> R {
        do throws(DiskError) { return try body() } catch { throw .disk(error) }
    }
}

/// The members of an object by their names.
private struct Members {
    private let object: JSONView

    init(_ object: JSONView) { self.object = object }

    subscript(name: StaticString) -> JSONView? {
        for (known, value) in object.members where known.contents == name { return value }
        return nil
    }
}

extension StateError {
    /// As a fault of a line; the file's name is added again by whoever reads the file.
    fileprivate var fault: StateFault {
        guard case .foreign(_, let why) = self else { return StateFault(description) }
        return StateFault(why, isForeign: true)
    }
}
