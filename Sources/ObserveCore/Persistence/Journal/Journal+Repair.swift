// SPDX-License-Identifier: MIT
// What has to be done after a disk has failed to sync, before anything may count as safe again.

extension Journal {
    /// After a sync has failed the system may take for written what is not, and what was cut off may be there again for
    /// the next start, with other bytes written over its beginning: so the journals are written anew, each beside the
    /// old one until it is on the disk.
    func repair() throws(DiskError) {
        guard hasFailedSync else { return }
        do throws(DiskError) {
            try prepare()
            for number in firstNumber...number { try renew(StateFile.journal(number)) }
            try disk.syncNames()
        } catch {
            failure = error
            throw error
        }
        hasFailedSync = false
        syncedLength = length
        roomEnd = length
        failure = nil
    }

    private func renew(_ name: String) throws(DiskError) {
        guard let bytes = try disk.read(name) else { return }
        let copy = ByteBuffer(capacity: bytes.count)
        copy.append(contentsOf: name == self.name ? Array(bytes.prefix(length)) : bytes)
        try disk.make(StateFile.freshJournal)
        try disk.write(StateFile.freshJournal, copy, at: 0)
        try disk.sync(StateFile.freshJournal)
        try disk.rename(StateFile.freshJournal, to: name)
    }
}
