// SPDX-License-Identifier: MIT
// Memory that grows in place, as the C library manages it. Swift has no call for that. Independent of its contents.

internal import Glibc

/// Bytes from the C library's heap, for buffers that grow to many megabytes.
///
/// The kernel gives a large block more pages without copying it. A copy of 8 MB takes about 10 ms, since the new block's pages
/// are empty.
enum GrowingMemory {
    @inline(__always)
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> { unsafe checked(malloc(count)) }

    /// Keeps the contents, as far as they fit.
    ///
    /// - Returns: the memory's new place; the former one is free.
    static func resize(_ memory: UnsafeMutablePointer<UInt8>, to count: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe checked(realloc(memory, count))
    }

    @inline(__always)
    static func free(_ memory: UnsafeMutablePointer<UInt8>) { unsafe Glibc.free(memory) }

    @inline(__always)
    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe memory else { fatalError("out of memory") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }
}
