// SPDX-License-Identifier: MIT
// The commits that are not written yet, as lines. Independent of files.

/// The lines of the next write: the open batch, and, with durability `none`, the batches before it.
struct OpenBatch: ~Copyable {
    let text = ByteBuffer(capacity: 64 << 10)
    /// Whether each batch begins with a safe line: see ``CheckedLine/appendSafe(to:)``. If not, only the first one after
    /// a sync does.
    private let hasSafeLine: Bool
    /// How many bytes of the text belong to flushed batches that are not written yet.
    private var flushedCount = 0
    private var last: LastLine

    struct LastLine {
        fileprivate var isSafeLineDue: Bool
        /// The author of the commit before.
        fileprivate var author: CommitAuthor?
        /// The last line, if further commits may share it.
        fileprivate var packed = PackedCommits()
        /// Where the batch's safe line begins.
        fileprivate var safeLine: Int?
    }

    init(_ durability: Durability) {
        hasSafeLine = durability == .commit
        last = LastLine(isSafeLineDue: hasSafeLine)
    }

    var isEmpty: Bool { text.isEmpty }

    @inline(__always) var needsFlush: Bool { text.count > flushedCount }

    var isIdle: Bool { !last.packed.isOpen }

    // MARK: Commits

    mutating func record(_ commit: CommitView, of tree: TreeReader, _ clock: WallClock) {
        if let entry = commit.onlyEntry {
            enter(commit, of: tree, entry.cause)
            return tree.append(entry, to: text)
        }
        beginLine()
        tree.append(commit, to: text, author: &last.author, clock)
    }

    @inline(__always)
    mutating func record(_ commit: CommitView, of tree: TreeReader, scalar json: JSONView, _ id: PropertyID) {
        enter(commit, of: tree, commit.cause)
        tree.appendEntry(of: json, to: id, to: text)
    }

    mutating func record(unbinding binding: Int32, at revision: UInt64) {
        beginLine()
        CheckedLine.begin(text)
        text.append("\"r\":", revision)
        text.append(",\"u\":", binding)
        CheckedLine.end(text)
    }

    /// Opens a place for an entry: in the line of the commits before, or in a line of its own.
    @inline(__always)
    private mutating func enter(_ commit: CommitView, of tree: TreeReader, _ cause: ChangeCause) {
        guard !last.packed.continues(with: commit, cause, in: text, author: last.author)
        else { return last.packed.append(with: commit, in: text) }
        beginLine()
        last.packed.begin(commit, of: tree, cause, in: text, author: &last.author)
    }

    /// Begins a line. Before a batch's first line comes a safe line, which says how much of the file is on the disk: pages reach
    /// it in any order, so the last batch may lack some in its middle.
    private mutating func beginLine() {
        last.packed.end(in: text)
        guard text.count == flushedCount, last.isSafeLineDue else { return }
        last.safeLine = CheckedLine.appendSafe(to: text)
        last.isSafeLineDue = hasSafeLine
    }

    mutating func noteSync() { last.isSafeLineDue = true }

    // MARK: The end

    mutating func close() { last.packed.end(in: text) }

    /// Notes that the batch is flushed, though it is not written yet.
    mutating func markFlushed() { flushedCount = text.count }

    /// Writes into the batch how much of its file is on the disk. The file adds the checksums.
    func setSafe(_ syncedLength: Int) {
        assert(isIdle, "a batch was written in the middle of a line")
        if let safeLine = last.safeLine { CheckedLine.setSafe(syncedLength, at: safeLine, in: text) }
    }

    /// Empties the text, which is written.
    mutating func removeAll() {
        text.removeAll()
        // A load may have made a long text, whose memory is freed.
        if text.capacity > 4 << 20 { text.releaseMemory() }
        last.safeLine = nil
        flushedCount = 0
    }

    // MARK: Refusals

    /// A place between two commits.
    typealias Mark = (count: Int, last: LastLine)

    var mark: Mark { (text.count, last) }

    /// Drops the last commit, which has no room.
    mutating func drop(after mark: Mark) {
        text.truncate(to: mark.count)
        last = mark.last
    }

    /// Makes the next line name its author, even if the line before has the same one.
    mutating func forgetAuthor() { last.author = nil }
}
