// SPDX-License-Identifier: MIT
// A copy of files in memory, for recovery that keeps nothing. Independent of the files' contents.

/// A ``StateDisk`` that has files to read, and drops all writes: nothing reads them again.
final class MemoryDisk: StateDisk {
    private let files: [String: [UInt8]]

    init(_ files: [String: [UInt8]]) { self.files = files }

    func names() throws(DiskError) -> [String] { Array(files.keys) }
    func read(_ name: String) throws(DiskError) -> [UInt8]? { files[name] }
    func make(_ name: String) throws(DiskError) {}
    func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError) {}
    func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError) {}
    func truncate(_ name: String, to count: Int) throws(DiskError) {}
    func sync(_ name: String) throws(DiskError) {}
    func syncNames() throws(DiskError) {}
    func rename(_ name: String, to other: String) throws(DiskError) {}
    func remove(_ name: String) throws(DiskError) {}
    func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError? { { nil } }
}
