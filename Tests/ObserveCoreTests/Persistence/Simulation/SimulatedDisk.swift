// SPDX-License-Identifier: MIT
// A disk that tears writes, fails, and loses unsynced data, by its seed. Independent of the data.

@testable import ObserveCore

/// Files in memory: the contents that the system shows, and those on the medium.
final class SimulatedDisk: StateDisk {
    private struct File {
        /// The contents that reads return.
        var contents: [UInt8] = []
        /// The contents at the last sync, and the writes since.
        var synced: [UInt8] = []
        var writes: [(offset: Int, bytes: [UInt8])] = []
        /// The bytes for which the disk has space, though it is full.
        var room = 0
    }

    private enum NameChange {
        case put(String, Int)
        case drop(String)
    }

    private var files: [Int: File] = [:]
    private var present: [String: Int] = [:]
    private var syncedNames: [String: Int] = [:]
    private var nameChanges: [NameChange] = []
    private var lastFile = 0
    var random: SeededGenerator
    /// The number of failing steps in a thousand.
    var failures = 0
    /// Without space for another byte.
    var isFull = false
    /// Lists no name.
    var hidesNames = false
    /// Called after each step that may have changed the files.
    var afterStep: (() -> Void)?
    private(set) var steps = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }

    private(set) var journal: [String] = []

    private func step(_ what: String) throws(DiskError) {
        steps += 1
        journal.append(what)
        if below(1000) < failures {
            journal[journal.count - 1] += " failed"
            throw DiskError("\(what) failed")
        }
    }

    private func file(_ name: String) throws(DiskError) -> Int {
        guard let file = present[name] else { throw DiskError("there is no \(name)") }
        return file
    }

    // MARK: The journal's disk

    func names() throws(DiskError) -> [String] { hidesNames ? [] : present.keys.sorted() }

    func read(_ name: String) throws(DiskError) -> [UInt8]? { present[name].flatMap { files[$0]?.contents } }

    func make(_ name: String) throws(DiskError) {
        defer { afterStep?() }
        try step("make \(name)")
        lastFile += 1
        files[lastFile] = File()
        put(name, lastFile)
    }

    func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError) {
        defer { afterStep?() }
        let file = try file(name)
        var error: DiskError?
        do throws(DiskError) { try step("write \(name) \(offset) \(bytes.count)") } catch let failure {
            error = failure
        }
        if isFull, offset + bytes.count > room(of: file) {
            journal[journal.count - 1] += " full"
            error = DiskError("no room", isFull: true)
        }
        var bytes = bytes.array
        if error != nil { bytes = Array(bytes.prefix(below(bytes.count + 1))) }
        SimulatedDisk.put(bytes, at: offset, in: &files[file, default: File()].contents)
        files[file, default: File()].writes.append((offset, bytes))
        if let error { throw error }
    }

    private func room(of file: Int) -> Int { max(files[file]?.room ?? 0, files[file]?.contents.count ?? 0) }

    func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError) {
        let file = try file(name)
        if withZeros {
            let zeros = ByteBuffer()
            zeros.append(contentsOf: [UInt8](repeating: 0, count: bytes.count))
            return try write(name, zeros, at: bytes.lowerBound)
        }
        try step("reserve \(name) \(bytes)")
        if isFull, bytes.upperBound > room(of: file) { throw DiskError("no room", isFull: true) }
        files[file, default: File()].room = max(room(of: file), bytes.upperBound)
    }

    private static func put(_ bytes: [UInt8], at offset: Int, in contents: inout [UInt8]) {
        if contents.count < offset { contents += [UInt8](repeating: 0, count: offset - contents.count) }
        let end = min(offset + bytes.count, contents.count)
        contents.replaceSubrange(offset..<end, with: bytes)
    }

    func truncate(_ name: String, to count: Int) throws(DiskError) {
        defer { afterStep?() }
        let file = try file(name)
        try step("truncate \(name) \(count)")
        files[file, default: File()].room = min(room(of: file), count)
        if files[file, default: File()].contents.count > count {
            files[file, default: File()].contents.removeLast(
                files[file, default: File()].contents.count - count
            )
        }
        // Like a write: the next sync makes the length safe.
        files[file, default: File()].writes.append((-1 - count, []))
    }

    func sync(_ name: String) throws(DiskError) {
        defer { afterStep?() }
        try sync(file: try file(name))
    }

    private func sync(file: Int) throws(DiskError) {
        do throws(DiskError) { try step("sync \(file)") } catch {
            // The system now takes the last pages for written, but they are not.
            files[file, default: File()].writes.removeLast(
                below(files[file, default: File()].writes.count + 1)
            )
            throw error
        }
        files[file, default: File()].synced = SimulatedDisk.replay(
            files[file, default: File()].writes[...],
            on: files[file, default: File()].synced
        )
        files[file, default: File()].writes = []
    }

    private static func replay(_ writes: ArraySlice<(offset: Int, bytes: [UInt8])>, on synced: [UInt8])
        -> [UInt8]
    {
        var contents = synced
        for write in writes {
            if write.offset >= 0 {
                put(write.bytes, at: write.offset, in: &contents)
            } else if contents.count > -1 - write.offset {
                contents.removeLast(contents.count + 1 + write.offset)
            }
        }
        return contents
    }

    func syncNames() throws(DiskError) {
        defer { afterStep?() }
        try step("sync")
        syncedNames = present
        nameChanges = []
    }

    func rename(_ name: String, to other: String) throws(DiskError) {
        defer { afterStep?() }
        let file = try file(name)
        try step("rename \(name)")
        put(other, file)
        drop(name)
    }

    func remove(_ name: String) throws(DiskError) {
        defer { afterStep?() }
        try step("remove \(name)")
        drop(name)
    }

    private func put(_ name: String, _ file: Int) {
        present[name] = file
        nameChanges.append(.put(name, file))
    }

    private func drop(_ name: String) {
        guard present.removeValue(forKey: name) != nil else { return }
        nameChanges.append(.drop(name))
    }

    /// The run decides when to do the work: see ``doWork(_:)``.
    private(set) var waiting: [[DiskStep]] = []

    func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError? {
        waiting.append(steps)
        return { nil }
    }

    /// Does the waiting work, step by step.
    func doWork() -> DiskError? {
        waiting.isEmpty ? nil : done(waiting.removeFirst())
    }

    /// The process that waits for it has ended.
    func dropWork() { waiting = [] }

    private func done(_ steps: [DiskStep]) -> DiskError? {
        do throws(DiskError) {
            for step in steps {
                if case .sync(let name) = step, present[name] == nil { continue }
                try run(step)
            }
            return nil
        } catch { return error }
    }

    // MARK: Crashes

    /// The files after the process was killed: all writes.
    func afterKill() -> SimulatedDisk {
        let disk = SimulatedDisk(seed: 0)
        for (name, file) in present.sorted(by: { $0.key < $1.key }) {
            disk.place(name, files[file, default: File()].contents)
        }
        return disk
    }

    /// The files after a power loss: all synced data, and some later writes in order, the last one torn.
    func afterPowerLoss(_ random: inout SeededGenerator) -> SimulatedDisk {
        let disk = SimulatedDisk(seed: 0)
        var names = syncedNames
        for change in nameChanges.prefix(Int(random.next() % UInt64(nameChanges.count + 1))) {
            switch change {
            case .put(let name, let file): names[name] = file
            case .drop(let name): names[name] = nil
            }
        }
        for (name, file) in names.sorted(by: { $0.key < $1.key }) {
            let writes = files[file, default: File()].writes
            let kept = Int(random.next() % UInt64(writes.count + 1))
            let synced = files[file, default: File()].synced
            var contents = synced
            // Truncated data grows back in order.
            let cut = writes.prefix(kept).map { $0.offset < 0 ? -1 - $0.offset : .max }.min() ?? .max
            let old = synced.prefix(cut)
            for write in writes.prefix(kept) {
                contents = SimulatedDisk.replay([write], on: contents)
                if write.offset >= 0 { forgetPages(of: write, old, in: &contents, &random) }
            }
            if kept < writes.count, writes[kept].offset >= 0 {
                let part = Int(random.next() % UInt64(writes[kept].bytes.count + 1))
                SimulatedDisk.put(
                    Array(writes[kept].bytes.prefix(part)),
                    at: writes[kept].offset,
                    in: &contents
                )
            }
            disk.place(name, contents)
        }
        return disk
    }

    /// In allocated space, pages reach the medium in any order: some may be missing.
    private func forgetPages(
        of write: (offset: Int, bytes: [UInt8]),
        _ synced: ArraySlice<UInt8>,
        in contents: inout [UInt8],
        _ random: inout SeededGenerator
    ) {
        let page = 48
        var start = write.offset
        while start < write.offset + write.bytes.count {
            let end = min((start / page + 1) * page, write.offset + write.bytes.count)
            if end <= synced.count, end <= contents.count, random.next() % 8 == 0,
                synced[start..<end].allSatisfy({ $0 == 0 })
            {
                contents.replaceSubrange(start..<end, with: synced[start..<end])
            }
            start = end
        }
    }

    /// Replaces a file, on the medium too.
    func place(_ name: String, _ contents: [UInt8]) {
        lastFile += 1
        files[lastFile] = File(contents: contents, synced: contents)
        present[name] = lastFile
        syncedNames[name] = lastFile
    }

    /// The file's contents, which a test may damage.
    func contents(_ name: String) -> [UInt8]? { present[name].flatMap { files[$0]?.contents } }

    func lose(_ name: String) {
        present[name] = nil
        syncedNames[name] = nil
    }
}
