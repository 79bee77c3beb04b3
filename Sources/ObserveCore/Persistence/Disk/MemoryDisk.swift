// SPDX-License-Identifier: MIT
// Files in memory, for recovery from state that is on no disk. Independent of the files' contents.

/// A ``StateDisk`` whose files last as long as the object.
///
/// - Threading: one user at a time. ``work(_:)`` runs its steps at once.
final class MemoryDisk: StateDisk {
    private var files: [String: [UInt8]]

    init(_ files: [String: [UInt8]] = [:]) { self.files = files }

    func names() throws(DiskError) -> [String] { Array(files.keys) }
    func read(_ name: String) throws(DiskError) -> [UInt8]? { files[name] }
    func make(_ name: String) throws(DiskError) { files[name] = [] }
    func sync(_ name: String) throws(DiskError) {}
    func syncNames() throws(DiskError) {}
    func rename(_ name: String, to other: String) throws(DiskError) {
        files[other] = files.removeValue(forKey: name)
    }
    func remove(_ name: String) throws(DiskError) { files[name] = nil }

    func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError) {
        write(name, bytes.array, at: offset)
    }

    private func write(_ name: String, _ bytes: [UInt8], at offset: Int) {
        var file = files.removeValue(forKey: name) ?? []
        if file.count < offset + bytes.count {
            file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
        }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        files[name] = file
    }

    func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError) {}

    func truncate(_ name: String, to count: Int) throws(DiskError) {
        if let file = files[name] { files[name] = Array(file.prefix(count)) }
    }

    func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError? {
        for step in steps {
            switch step {
            case .make(let name): files[name] = []
            case .write(let name, let bytes, let offset): write(name, bytes, at: offset)
            case .sync, .syncNames: break
            case .rename(let name, let other): files[other] = files.removeValue(forKey: name)
            case .remove(let name): files[name] = nil
            }
        }
        return { nil }
    }
}
