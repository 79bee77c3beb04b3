// SPDX-License-Identifier: MIT
// The operations that a journal needs of a disk. Independent of the system: tests have their own disk.

/// A folder of files that are written at the end.
///
/// - Errors: a failed operation has done nothing; a failed ``write(_:_:at:)`` may have written a part.
/// - Threading: one user at a time; the result of ``work(_:)`` may run anywhere.
package protocol StateDisk: AnyObject {
    func names() throws(DiskError) -> [String]
    /// All of a file; nil if there is none.
    func read(_ name: String) throws(DiskError) -> [UInt8]?
    /// Makes an empty file, for the owner alone, or empties an existing one.
    func make(_ name: String) throws(DiskError)
    func write(_ name: String, _ bytes: ByteBuffer, at offset: Int) throws(DiskError)
    /// Reserves room for these bytes of the file: a later write of them does not lack space.
    ///
    /// - Parameter withZeros: whether the file grows by zeros. If not, it keeps its length.
    func reserve(_ name: String, _ bytes: Range<Int>, withZeros: Bool) throws(DiskError)
    func truncate(_ name: String, to count: Int) throws(DiskError)
    /// Returns when the file's contents are on the disk.
    func sync(_ name: String) throws(DiskError)
    /// A closure for another thread, which runs the steps until one fails.
    func work(_ steps: [DiskStep]) -> @Sendable () -> DiskError?
    /// Returns when the names are on the disk.
    func syncNames() throws(DiskError)
    func rename(_ name: String, to other: String) throws(DiskError)
    func remove(_ name: String) throws(DiskError)
}

/// A slow disk operation, which another thread runs.
package enum DiskStep: Equatable, Sendable {
    /// As ``StateDisk/make(_:)``.
    case make(String)
    case write(String, [UInt8], at: Int)
    case sync(String)
    case syncNames
    case rename(String, to: String)
    case remove(String)
}
