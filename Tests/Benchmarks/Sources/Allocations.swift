// SPDX-License-Identifier: MIT
// Counts allocations: this program's `malloc` replaces the C library's. Independent of the benchmarks.

/// The number of allocations since the program started, on all threads. Exact while only one thread runs.
nonisolated(unsafe) var allocationCount = 0

@_silgen_name("__libc_malloc")
private func libraryMalloc(_ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_calloc")
private func libraryCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_realloc")
private func libraryRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_memalign")
private func libraryMemalign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?

/// Replaces `malloc`. Public, so that the libraries use it too.
@_cdecl("malloc")
public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryMalloc(size)
}

/// Replaces `calloc`. Public, so that the libraries use it too.
@_cdecl("calloc")
public func countingCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryCalloc(count, size)
}

/// Replaces `realloc`. Public, so that the libraries use it too.
@_cdecl("realloc")
public func countingRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryRealloc(memory, size)
}

/// Replaces `aligned_alloc`. Public, so that the libraries use it too.
@_cdecl("aligned_alloc")
public func countingAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryMemalign(alignment, size)
}
