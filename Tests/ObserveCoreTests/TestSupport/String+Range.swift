// SPDX-License-Identifier: MIT
// Finds texts and lines with the C library. The toolchain's generic searches call functions for each byte in a debug build.

import Glibc

extension String {
    /// The range of the first `part`.
    func range(of part: String) -> Range<String.Index>? {
        guard let offset = offset(of: part) else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: part.utf8.count)
    }

    /// Whether the text has the bytes of `part`.
    func contains(_ part: String) -> Bool { offset(of: part) != nil }

    /// The text with `other` in place of each `part`.
    func replacingAll(_ part: String, by other: String) -> String {
        guard let range = range(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other
            + String(self[range.upperBound...]).replacingAll(part, by: other)
    }

    private func offset(of part: String) -> Int? {
        var (text, part) = (self, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = unsafe part.first, let base = text.baseAddress,
                    let wanted = part.baseAddress
                else { return part.isEmpty ? 0 : nil }
                var start = 0
                while start + part.count <= text.count,
                    let found = unsafe memchr(base + start, Int32(first), text.count - part.count + 1 - start)
                {
                    if unsafe memcmp(found, wanted, part.count) == 0 {
                        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
                    }
                    start = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                }
                return nil
            }
        }
    }
}

extension [UInt8] {
    /// The index of the first line feed from `start` on.
    func firstLineFeed(from start: Int = 0) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// Removes the complete lines, and returns them.
    mutating func takeLines() -> [String] {
        var lines: [String] = []
        var start = 0
        while let end = firstLineFeed(from: start) {
            lines.append(String(decoding: self[start..<end], as: UTF8.self))
            start = end + 1
        }
        removeFirst(start)
        return lines
    }
}
