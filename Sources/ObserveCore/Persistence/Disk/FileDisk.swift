// SPDX-License-Identifier: MIT
// The state folder as the journal's disk. Independent of the files' contents.

/// The files of a state folder. A file stays open while the journal writes to it.
package final class FileDisk: StateDisk {
    private let folder: StateFolder
    private var files: [String: FolderFile]

    package init(_ folder: StateFolder, _ files: [String: FolderFile] = [:]) {
        (self.folder, self.files) = (folder, files)
    }

    package func names() throws(DiskError) -> [String] { try attempt(folder.names()) }

    package func read(_ name: String) throws(DiskError) -> [UInt8]? { try attempt(folder.read(name)) }

    package func make(_ name: String) throws(DiskError) {
        files[name] = nil
        files[name] = try attempt(folder.open(name, making: true))
    }

    package func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError) {
        try attempt(open(name).write(bytes.view, at: offset, folder.place(name)))
    }

    package func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError) {
        let (file, place) = (try attempt(open(name)), folder.place(name))
        if !withZeros, try attempt(file.reserve(bytes, place)) { return }
        try ByteView.with([UInt8](repeating: 0, count: bytes.count)) { (zeros) throws(DiskError) in
            try attempt(file.write(zeros, at: bytes.lowerBound, place))
        }
    }

    package func truncate(_ name: String, to count: Int) throws(DiskError) {
        try attempt(open(name).truncate(to: count, folder.place(name)))
    }

    package func sync(_ name: String) throws(DiskError) {
        // The system reports earlier failures only to the descriptor that wrote.
        if let file = files[name] { return try attempt(file.sync(folder.place(name))) }
        try attempt(folder.sync(name))
    }

    package func syncNames() throws(DiskError) { try attempt(folder.syncNames()) }

    package func rename(_ name: String, to other: String) throws(DiskError) {
        try attempt(folder.rename(name, to: other))
        files[other] = files.removeValue(forKey: name)
    }

    package func remove(_ name: String) throws(DiskError) {
        files[name] = nil
        try attempt(folder.remove(name))
    }

    package func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError? {
        for case .write(let name, _, _) in steps { _ = try? open(name) }
        let (folder, files) = (folder, files)
        for step in steps {
            switch step {
            // Otherwise a later write by this name would reach the former file.
            case .rename(let name, _), .remove(let name), .make(let name): self.files[name] = nil
            case .sync, .syncNames, .write: break
            }
        }
        return {
            let disk = FileDisk(folder, files)
            do throws(DiskError) {
                for step in steps { try disk.run(step) }
                return nil
            } catch { return error }
        }
    }

    private func open(_ name: String) throws(SocketError) -> FolderFile {
        if let known = files[name] { return known }
        let fresh = try folder.open(name)
        files[name] = fresh
        return fresh
    }

    private func attempt<R>(_ body: @autoclosure () throws(SocketError) -> R) throws(DiskError) -> R {
        do throws(SocketError) { return try body() } catch { throw DiskError(error) }
    }
}

extension FolderFile {
    fileprivate func write(_ bytes: ByteView, at offset: Int, _ place: String) throws(SocketError) {
        try unsafe write(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count), at: offset, place)
    }
}

extension DiskError { init(_ error: SocketError) { self.init("\(error)", isFull: error.isFull) } }
