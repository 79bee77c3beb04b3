// SPDX-License-Identifier: MIT
// The text of paths in JSON strings.

extension ByteView {
    /// The end of the component that begins at `start`, in a dotted path as JSON strings have it: with each backslash doubled.
    func endOfComponent(from start: Int) -> Int {
        var index = start
        while index < count, self[index] != 0x2E {
            let isEscape = self[index] == 0x5C && index + 1 < count && self[index + 1] == 0x5C
            index +=
                isEscape
                ? (index + 2 < count && self[index + 2] == 0x5C ? 4 : 3) : self[index] == 0x5C ? 2 : 1
        }
        return Swift.min(index, count)
    }
}
