// SPDX-License-Identifier: MIT
// A line of many small commits. In lines of their own, these would have more overhead than content.

/// Commits of one entry each, with consecutive revisions and the same author: one head and its checksums for all.
///
/// A batch ends the line that it began: a line is whole or is not there.
struct PackedCommits {
    /// Damage loses at most so many bytes, or one value.
    private static let longest = 4 << 10

    /// Where the line begins; -1 if none is open.
    private var start = -1
    private var revision: UInt64 = 0
    private var cause = ChangeCause.writer

    @inline(__always) var isOpen: Bool { start >= 0 }

    @inline(__always) func continues(
        with commit: CommitView,
        _ cause: ChangeCause,
        in out: ByteBuffer,
        author: CommitAuthor?
    ) -> Bool {
        isOpen && commit.revision == revision &+ 1 && out.count &- start < PackedCommits.longest
            && self.cause == cause && commit.author.withoutNumber == author
    }

    /// Opens a place for the commit's entry.
    @inline(__always) mutating func append(with commit: CommitView, in out: ByteBuffer) {
        revision = commit.revision
        out.append(0x2C)
    }

    /// Opens a place for the entry of the first commit in a new line.
    /// - Parameter author: the author of the last line, which this one does not repeat.
    mutating func begin(
        _ commit: CommitView,
        of tree: TreeReader,
        _ cause: ChangeCause,
        in out: ByteBuffer,
        author last: inout CommitAuthor?
    ) {
        start = out.count
        revision = commit.revision
        self.cause = cause
        CheckedLine.begin(out)
        out.append("\"r\":", revision)
        if commit.author.withoutNumber != last { tree.append(commit.author, to: out, &last) }
        out.append(",\"s\":[")
    }

    mutating func end(in out: ByteBuffer) {
        guard isOpen else { return }
        out.append(0x5D)
        if cause != .writer { out.append(",\"k\":[", cause.code, "]") }
        CheckedLine.end(out)
        start = -1
    }
}
