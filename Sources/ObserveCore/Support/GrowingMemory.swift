// SPDX-License-Identifier: MIT
// Memory that grows in place, as the C library manages it. Swift has no call for that. Independent of its contents.

internal import CLinux

/// Bytes from the C library's heap, for buffers that grow to many megabytes. The kernel gives a large block more pages without
/// copying it. A copy of 8 MB takes about 10 ms, since the new block's pages are empty.
enum GrowingMemory {
    @inline(__always)
    static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> { unsafe checked(malloc(count)) }

    /// Keeps the contents, as far as they fit. Returns the memory's new place; the former one is free.
    static func resize(_ memory: UnsafeMutablePointer<UInt8>, to count: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe checked(realloc(memory, count))
    }

    @inline(__always) static func free(_ memory: UnsafeMutablePointer<UInt8>) { unsafe CLinux.free(memory) }

    @inline(__always)
    private static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe memory else { fatalError("out of memory") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    // MARK: Zeros

    /// So many bytes have pages of their own, which go back to the kernel at once when they are freed.
    private static var separateBytes: Int { 128 << 10 }

    /// Memory that is zero. A table that grows frees ever larger pieces, which nothing else would fill.
    static func allocateZeros(_ count: Int) -> UnsafeMutableRawPointer {
        let memory = unsafe count < separateBytes ? calloc(1, count) : linux_map(count)
        return unsafe UnsafeMutableRawPointer(checked(memory))
    }

    /// Frees memory of that length that ``allocateZeros(_:)`` has given.
    static func freeZeros(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        if count < separateBytes { unsafe CLinux.free(memory) } else { _ = unsafe munmap(memory, count) }
    }
}
