// SPDX-License-Identifier: MIT
// One snapshot or one journal, line by line. Does not know which files there are.

extension Recovery {
    mutating func readSnapshot() throws(StateError) {
        let name = StateFile.snapshot
        guard let bytes = try attempt({ () throws(DiskError) in try disk.read(name) }) else { return }
        snapshotBytes = bytes.count
        var reader = SnapshotReader(loader)
        try ByteView.with(bytes) { (text) throws(StateError) in
            var lines = CheckedLines(text)
            reading: while true {
                switch lines.next() {
                case .line(let line):
                    do throws(StateFault) { try reader.take(line) } catch {
                        throw error.isForeign
                            ? .foreign(name, why: error.sentence)
                            : .inconsistent(name, line: lines.count, why: error.sentence)
                    }
                case .torn(let offset), .broken(let offset):
                    if lines.count == 0 { throw .foreign(name, why: "is not a snapshot of ours") }
                    throw .damaged(name, line: lines.count + 1, offset: offset)
                case .end: break reading
                }
            }
            if lines.count == 0 { throw .foreign(name, why: "is empty") }
        }
        guard let header = reader.header, let end = reader.end else {
            throw .inconsistent(name, line: 1, why: "its end is missing")
        }
        firstNumber = header.number
        revision = header.revision
        snapshotEnd = end
    }

    /// - Returns: how much of it is whole.
    mutating func readJournal(_ number: Int, isLast: Bool) throws(StateError) -> Int {
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
                case .broken(let offset):
                    throw StateError.damaged(name, line: lines.count + 1, offset: offset)
                case .end: return lines.offset
                case .torn(let offset):
                    isCutOff = !isLast && mayHaveLostTail
                    guard isLast || isCutOff else {
                        throw StateError.damaged(name, line: lines.count + 1, offset: offset)
                    }
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
        guard let begin = LineMembers(header)["revision"]?.int64() else { return false }
        return begin > Int64(clamping: revision)
    }

    private mutating func take(journalLine line: JSONView, _ count: Int, of number: Int) throws(StateError) {
        let name = StateFile.journal(number)
        do throws(StateFault) {
            if count == 1 { return try take(header: line, of: number) }
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
            let members = LineMembers(line)
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

    private mutating func take(header line: JSONView, of number: Int) throws(StateFault) {
        let members = LineMembers(line)
        guard let version = members["journal"]?.int64() else {
            let what = members["snapshot"] == nil ? " of ours" : ", but a snapshot"
            throw StateFault("is no journal\(what)", isForeign: true)
        }
        guard version == SnapshotHeader.version else {
            throw StateFault(
                "is of version \(version), and this is version \(SnapshotHeader.version)",
                isForeign: true
            )
        }
        guard members["number"]?.int64() == Int64(number) else {
            throw StateFault("it is journal \(members["number"]?.int64() ?? 0), under another's name")
        }
        let begin = try StateLoader.revision(members["revision"])
        guard begin == revision else {
            throw StateFault(
                "it goes on from revision \(begin), and what was kept before ends at \(revision)"
            )
        }
        if let start = members["start"] { try take(start: start) }
    }

    private mutating func take(start: JSONView) throws(StateFault) {
        let members = LineMembers(start)
        guard let epoch = members["epoch"], let boot = members["boot"], let durability = members["durability"]
        else {
            throw StateFault("a start has an epoch, a boot and a durability")
        }
        last = Identity(
            epoch: epoch.decodedString(),
            boot: boot.decodedString(),
            durability: durability.decodedString()
        )
        isClean = false
    }
}
