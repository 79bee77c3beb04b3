// SPDX-License-Identifier: MIT
// Lists of words in the form that the kernel takes.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Words as C has them, with a null at the end.
@safe
final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    convenience init(_ words: [String]) { self.init(words.map { Array($0.utf8) }) }

    init(_ words: [[UInt8]]) {
        count = words.count
        unsafe pointers = .allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() {
            unsafe pointers[index] = strdup((word + [0]).map { CChar(bitPattern: $0) })
        }
        unsafe pointers[words.count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
