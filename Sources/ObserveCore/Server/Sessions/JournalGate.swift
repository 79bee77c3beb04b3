// SPDX-License-Identifier: MIT
// The batch that still needs a flush. Independent of files and of the journal's format.

/// The *batch* begins with the first unflushed commit.
@safe struct JournalGate: ~Copyable {
    /// Nil if the tree is kept in memory only.
    var journal: Journal? { didSet { unsafe unretainedJournal = journal.map { unsafe .passUnretained($0) } } }
    /// ``journal`` without a reference count.
    private var unretainedJournal: Unmanaged<Journal>?
    /// The number of the open batch.
    private(set) var batch: UInt64 = 1

    /// The revision before its first commit; valid while the journal needs a flush.
    private(set) var baseRevision: UInt64 = 0
    /// How many bytes of text its requests have.
    private var requestBytes = 0
    /// A session has too many bytes that wait for the flush.
    var mustSend = false
    /// The server is executing a JSON-RPC batch.
    var isInBatch = false

    // MARK: The journal

    /// Without counting a reference.
    @inline(__always) func withJournal<R>(_ body: (Journal) -> R) -> R? {
        unsafe unretainedJournal.map { unsafe $0._withUnsafeGuaranteedRef(body) }
    }

    /// Whether some commits must not show yet.
    @inline(__always) var needsFlush: Bool { withJournal { $0.needsFlush } ?? false }

    /// Whether the server executes writes: not behind a broken disk, nor before it is proved.
    @inline(__always) var acceptsWrites: Bool { withJournal { !$0.isBroken && !$0.needsProof } ?? true }

    var diskError: DiskError { journal?.failure ?? DiskError("the disk failed") }

    // MARK: The batch

    @inline(__always) mutating func note(_ line: ByteView) { requestBytes &+= line.count }

    /// Whether to begin a flush before the next request.
    @inline(__always) var mustFlush: Bool { mustSend || requestBytes > 256 << 10 }

    mutating func beginBatch(at revision: UInt64) { baseRevision = revision }

    /// The batch that an answer belongs to: the open one, or the one before while the open one has no commit.
    var answeredBatch: UInt64 { needsFlush ? batch : batch &- 1 }

    mutating func endBatch() {
        batch += 1
        mustSend = false
        requestBytes = 0
    }

    var isIdle: Bool { requestBytes == 0 }
}
