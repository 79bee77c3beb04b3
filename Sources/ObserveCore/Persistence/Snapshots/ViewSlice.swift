// SPDX-License-Identifier: MIT
// The text of one line of a read view, in its two lists. Independent of the source of its parts.

final class ViewSlice {
    let models = ByteBuffer()
    let stacks = ByteBuffer()

    var byteCount: Int { models.count + stacks.count }

    func beginStack() { if !stacks.isEmpty { stacks.append(0x2C) } }

    /// Appends the line, and empties the slice.
    func write(to out: ByteBuffer) {
        CheckedLine.begin(out)
        out.append("\"m\":[")
        out.append(models.view)
        out.append(0x5D)
        if !stacks.isEmpty {
            out.append(",\"o\":[")
            out.append(stacks.view)
            out.append(0x5D)
        }
        CheckedLine.end(out)
        removeAll()
    }

    func removeAll() {
        models.removeAll()
        stacks.removeAll()
    }
}
