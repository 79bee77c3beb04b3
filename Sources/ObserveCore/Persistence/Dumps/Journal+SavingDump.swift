// SPDX-License-Identifier: MIT
// Saves a dump of the whole tree beside the journal. Independent of the reason.

extension Journal {
    /// Writes a dump of all roots as `before-REVISION.jsonl`. Returns when it is on the disk, with its name.
    func saveDump(of tree: ModelTree) throws(DiskError) -> String {
        let view = ReadView(of: tree, epoch: epoch, clock: clock)
        defer { view.end() }
        let (fresh, name) = (StateFile.freshDump, StateFile.dump(before: view.header.revision))
        try disk.make(fresh)
        var length = 0
        let text = ByteBuffer()
        while !view.isDone {
            view.write(to: text, bytes: 1 << 20)
            try disk.write(fresh, text, at: length)
            length += text.count
            text.removeAll()
        }
        try disk.sync(fresh)
        try disk.rename(fresh, to: name)
        try disk.syncNames()
        return name
    }
}
