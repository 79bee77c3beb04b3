// SPDX-License-Identifier: MIT
// Counts allocations: this program's `malloc` stands in front of the C library's. Knows nothing of what allocates.

/// How often memory was allocated since the program began, on all threads. Only exact while one thread runs.
nonisolated(unsafe) var allocationCount = 0

@_silgen_name("__libc_malloc")
private func libraryMalloc(_ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_calloc")
private func libraryCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_realloc")
private func libraryRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_memalign")
private func libraryMemalign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?

/// Stands for `malloc`. Public, so that it is in front for the libraries too.
@_cdecl("malloc")
public func countingMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryMalloc(size)
}

/// Stands for `calloc`. Public, so that it is in front for the libraries too.
@_cdecl("calloc")
public func countingCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryCalloc(count, size)
}

/// Stands for `realloc`. Public, so that it is in front for the libraries too.
@_cdecl("realloc")
public func countingRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryRealloc(memory, size)
}

/// Stands for `aligned_alloc`. Public, so that it is in front for the libraries too.
@_cdecl("aligned_alloc")
public func countingAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    unsafe allocationCount &+= 1
    return unsafe libraryMemalign(alignment, size)
}
