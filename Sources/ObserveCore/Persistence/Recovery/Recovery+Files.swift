// SPDX-License-Identifier: MIT
// Reads one snapshot or one journal, line by line.

extension Recovery {
    mutating func readSnapshot() throws(StateError) {
        let name = StateFile.snapshot
        guard let bytes = try attempt({ () throws(DiskError) in try disk.read(name) }) else { return }
        snapshotBytes = bytes.count
        let (header, end) = try SnapshotReader.read(bytes, name, into: loader)
        self.header = header
        revision = header.revision
        snapshotEnd = end
    }

    private func bytes(ofJournal number: Int) throws(StateError) -> [UInt8] {
        if let peeked, peeked.number == number { return peeked.bytes }
        let name = StateFile.journal(number)
        guard let bytes = try attempt({ () throws(DiskError) in try disk.read(name) })
        else { throw .missing(name, why: "it was there a moment ago") }
        return bytes
    }

    /// Drops the last journal if it was made and never begun: later commits are in the one before.
    mutating func dropUnbegun(_ numbers: inout [Int]) throws(StateError) {
        guard numbers.count > 1, let last = numbers.last else { return }
        let bytes = try bytes(ofJournal: last)
        peeked = (last, bytes)
        let isBegun = ByteView.with(bytes) { text in
            var lines = CheckedLines(text)
            if hasStartOfBoot { lines.proof = .lineFeed }
            switch lines.next() {
            case .torn, .end: return false
            case .line, .broken: return true
            }
        }
        guard !isBegun else { return }
        numbers.removeLast()
        notes.append("\(StateFile.journal(last)) was made and never begun: it is removed")
        filesToRemove.append(StateFile.journal(last))
    }

    /// Looks for a start of the present boot: in the last journal or, if that was begun and has nothing whole, in the one before.
    mutating func findStart(in numbers: [Int]) throws(StateError) {
        if conditions.boot.isEmpty { return }
        for number in numbers.suffix(2).reversed() where !hasStartOfBoot {
            let bytes = try bytes(ofJournal: number)
            peeked = (number, bytes)
            hasStartOfBoot = ByteView.with(bytes) { CheckedLines($0).hasStart(ofBoot: conditions.boot) }
        }
    }

    /// The bytes of a journal, without those behind the commits that a broken disk has kept.
    private mutating func cutOff(_ bytes: [UInt8], ofJournal number: Int) -> [UInt8] {
        guard let end = conditions.end, end.number == number, end.length < bytes.count else { return bytes }
        mustTruncate = true
        return Array(bytes.prefix(end.length))
    }

    /// - Returns: how many bytes of it are whole lines.
    mutating func readJournal(_ number: Int, isLast: Bool) throws(StateError) -> Int {
        let name = StateFile.journal(number)
        let bytes = cutOff(try bytes(ofJournal: number), ofJournal: number)
        peeked = nil
        let whole = try ByteView.with(bytes) { (text) throws(StateError) in
            var lines = CheckedLines(text)
            lines.proof = proof
            while true {
                switch lines.next() {
                case .line(let line):
                    if lines.count == 1, mayHaveLostTail, number != firstNumber, followsLostCommits(line) {
                        ending = .afterLoss
                        return 0
                    }
                    chain = lines.chain
                    try consume(journalLine: line, of: number)
                    lines.proof = proof
                    lines.chain.isLinked = chain.isLinked
                case .broken(let offset):
                    try salvage(from: name, bytes, line: lines.count + 1, at: offset)
                    return offset
                case .end: return lines.offset
                case .torn(let offset, let isBeginning):
                    if lines.count == 0 {
                        guard mayHaveLostTail, number != firstNumber else {
                            throw isLast
                                ? StateError.foreign(name, why: "is not a journal of ours")
                                : .damaged(name, line: 1, offset: offset)
                        }
                        // The journal's first line was lost.
                        ending = .afterLoss
                        return 0
                    }
                    if !isLast, mayHaveLostTail { ending = .lost }
                    guard isLast || ending == .lost else {
                        try salvage(from: name, bytes, line: lines.count + 1, at: offset)
                        return offset
                    }
                    mayLackCommits = mayLackCommits || !isBeginning
                    return offset
                }
            }
        }
        if ending == .afterLoss { return 0 }
        if whole == 0 {
            guard mayHaveLostTail, number != firstNumber else { throw .foreign(name, why: "is empty") }
            ending = .afterLoss
            return 0
        }
        if ending == .salvaged {
            mustTruncate = true
        } else if whole < bytes.count {
            let torn = (bytes[whole...].lastIndex { $0 != 0 } ?? whole - 1) + 1 - whole
            mustTruncate = true
            if torn > 0 {
                notes.append(
                    "the last \(torn) bytes of \(name), from byte \(whole), are not a whole commit: they are cut off"
                )
                isClean = false
            }
        }
        if !isLast { olderBytes += whole }
        return whole
    }

    /// Continues with the lines before the damage alone, as after a loss of power, and keeps a copy of the file.
    /// - Errors: the damage, unless there are such lines and the operator wants this.
    private mutating func salvage(from name: String, _ bytes: [UInt8], line: Int, at offset: Int)
        throws(StateError)
    {
        let damage = StateError.damaged(name, line: line, offset: offset)
        guard conditions.salvages, line > 1 else { throw damage }
        let text = ByteBuffer(capacity: bytes.count)
        text.append(contentsOf: bytes)
        let copy = try attempt { () throws(DiskError) in
            let copy = try disk.freeName(StateFile.damaged(name, at: offset))
            try disk.make(copy)
            try disk.write(copy, text, at: 0)
            try disk.sync(copy)
            try disk.syncNames()
            return copy
        }
        notes.append("\(damage): it is cut off there, and \(copy) is a copy of all of it")
        ending = .salvaged
        mayLackCommits = true
    }

    /// Whether the journal with that first line follows commits that are lost: the journal before is shorter than the line
    /// says, or ends at an earlier revision.
    private func followsLostCommits(_ header: JSONView) -> Bool {
        guard let begin = header["revision"]?.int64() else { return false }
        if let after = header["after"]?.int64(), after > before.length { return true }
        return begin > Int64(clamping: revision)
    }

    /// Consumes the line before ``chain``.
    private mutating func consume(journalLine line: JSONView, of number: Int) throws(StateError) {
        let name = StateFile.journal(number)
        do throws(StateFault) {
            if chain.count == 1 { return try consume(header: line, of: number) }
            if CheckedLine.isCommit(line.view) {
                isClean = false
                // A line that changes no value repeats the revision, and the snapshot may include it.
                // It never includes a change of types or of limits. A binding's line, which names limits, may come twice.
                if loader.isPatching, revision >= snapshotEnd,
                    try LineMembers.revision(line["r"]) > revision || line["d"] != nil || line["l"] != nil
                {
                    try loader.finishPatching(revision: revision)
                }
                revision = try loader.load(commit: line, after: revision)
                return
            }
            if let start = line["start"] {
                try consume(start: start)
            } else if let start = line["linked"] {
                try consume(start: start)
                chain.isLinked = true
            } else if line["stop"] != nil {
                if chain.isLinked, line["lines"]?.int64() != Int64(chain.count) {
                    throw StateFault("it counts \(line["lines"]?.int64() ?? 0) lines")
                }
                isClean = true
            } else if line["safe"] != nil {
                isClean = false
            } else {
                throw StateFault("the line is of no known kind")
            }
        } catch {
            throw error.isForeign
                ? .foreign(name, why: error.sentence)
                : .inconsistent(name, line: chain.count, why: error.sentence)
        }
    }

    private mutating func consume(header line: JSONView, of number: Int) throws(StateFault) {
        guard let version = line["journal"] else {
            let what = line["snapshot"] == nil ? " of ours" : ", but a snapshot"
            throw StateFault("is not a journal\(what)", isForeign: true)
        }
        chain.isLinked = try SnapshotHeader.checked(version) > 1
        guard line["number"]?.int64() == Int64(number)
        else { throw StateFault("it is journal \(line["number"]?.int64() ?? 0), under another's name") }
        let begin = try LineMembers.revision(line["revision"])
        guard begin == revision else {
            throw StateFault("it continues revision \(begin), and the files before it end at \(revision)")
        }
        if number != firstNumber, let after = line["after"]?.int64(), after != before.length {
            throw StateFault("it continues byte \(after) of a journal that ends at byte \(before.length)")
        }
        try checkOrigin(line, of: number)
        if let start = line["start"] { try consume(start: start) }
    }

    /// Checks that the journal continues these files, and not others with the same names and revisions.
    private func checkOrigin(_ header: JSONView, of number: Int) throws(StateFault) {
        if number != firstNumber {
            guard let sum = header["sum"]?.int64(), sum != Int64(before.chain.sum) else { return }
            throw StateFault("it continues another \(StateFile.journal(number - 1)) than the one here")
        }
        guard let sum = self.header?.sum, sum != chain.sum else { return }
        throw StateFault("the snapshot belongs to another \(StateFile.journal(number))")
    }

    private mutating func consume(start: JSONView) throws(StateFault) {
        guard let epoch = start["epoch"], let boot = start["boot"], let durability = start["durability"]
        else { throw StateFault("a start has an epoch, a boot and a durability") }
        last = Identity(
            epoch: epoch.decodedString(),
            boot: boot.decodedString(),
            durability: durability.decodedString()
        )
        isClean = false
    }
}
