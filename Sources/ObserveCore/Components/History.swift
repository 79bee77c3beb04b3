// SPDX-License-Identifier: MIT
// The history of recent commits: the values that they replaced, for replay. Data and bounds only.

/// A position in the history's queues, between two commits.
struct HistoryPosition {
    var touch: Int
    var orderChange: Int
    var released: Int
    var restored: Int
}

/// One commit in the history. Its entries in the queues follow those of the commit before it.
struct PastCommit {
    /// Equal assignments alone do not increment the revision: their entry has the revision current then.
    let revision: UInt64
    /// The author's index in ``History/authors``.
    let author: Int
    /// Where its entries in the queues end.
    let end: HistoryPosition
    /// Bytes of text and arrays in the released models, and of their names.
    let releasedBytes: Int
}

/// A released model that a commit brought back. Its properties got the commit's revision, as those of a new model.
struct RestoredModel {
    let model: ModelID
    /// The revisions of its properties at its release, in their order.
    let revisions: [UInt64]
    let removalRevision: UInt64
}

extension ArrayEdits {
    /// Bytes of text and arrays that only a single edit keeps in memory.
    var textBytes: Int { if case .one(let edit) = self { edit.old.textBytes } else { 0 } }
}

/// The requester of a commit, in a form that outlives its connection. Only the caller that sets the numbers interprets them.
struct CommitAuthor: Equatable {
    /// 0 for no particular requester.
    var number: Int32 = 0
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
    /// What made the commit instead of a requester, as a code: 5001 for the end of a lifetime of 5 s; 0 if a requester made it.
    var occasion: Int64 = 0
    /// The time of the commit by the system's clock, in milliseconds since 1970; 0 if it is unknown.
    var time: Int64 = 0
}

/// The last commits, with the values that they replaced.
/// - Bounds: ``commitLimit`` commits, and ``TreeLimits/maxHistoryBytes`` of text, arrays and long names. Also as many touches
///   and properties of released models as the tree has properties, but at least ``TreeLimits/maxHistoryCommits``, and otherwise
///   at most ``mostProperties``.
struct History: ~Copyable {
    static let mostProperties = 1 << 16

    /// How many commits the history keeps; 0 for a tree without a history.
    var commitLimit = 0
    var commits = Ring<PastCommit>()
    /// Their authors; neighbours with the same author share one entry.
    var authors = Ring<CommitAuthor>()
    var touches = Ring<Touch>()
    var orderChanges = Ring<OrderChange>()
    var released = Ring<ModelID>()
    /// Models that a commit brought back after an earlier one had released them.
    var restored = Ring<RestoredModel>()
    /// The numbers of the entries in ``released`` whose models were brought back: they are not the history's alone.
    var livingAgain: Set<Int> = []
    /// The revision after the declared types were last replaced; 0 if they never were.
    var typeRevision: UInt64 = 0
    /// The newest model after the last commit that may have made one.
    var lastInstance: UInt64 = 0
    var releasedProperties = 0
    /// Bytes of text, arrays and long names that only the history holds.
    var textBytes = 0
    /// Values and models that the history has dropped, until the tree frees them.
    var unfreed = UnfreedRecords()
    /// The time of the commit of ``Records/horizon``, in milliseconds since 1970; 0 if it is unknown.
    var horizonTime: Int64 = 0

    /// Adds a commit that only assigned one property another scalar.
    @inline(__always) mutating func append(
        _ old: consuming StoredValue,
        of property: PropertyID,
        at former: UInt64,
        _ cause: ChangeCause,
        by author: CommitAuthor,
        at revision: UInt64
    ) {
        textBytes &+= old.textBytes
        touches.append(
            Touch(old: old, isChanged: true, property: property, cause: cause, oldRevision: former)
        )
        endCommit(revision, by: author)
    }

    /// Adds a commit with the entries appended last.
    @inline(__always)
    mutating func endCommit(_ revision: UInt64, by author: CommitAuthor, releasedBytes: Int = 0) {
        if authors.isEmpty || authors[authors.end - 1] != author { authors.append(author) }
        commits.append(
            PastCommit(revision: revision, author: authors.end - 1, end: end, releasedBytes: releasedBytes)
        )
    }

    /// The position after the newest commit.
    @inline(__always) var end: HistoryPosition {
        HistoryPosition(
            touch: touches.end,
            orderChange: orderChanges.end,
            released: released.end,
            restored: restored.end
        )
    }

    /// The position before the commit with that number.
    func start(of commit: Int) -> HistoryPosition {
        commit > commits.first
            ? commits[commit - 1].end
            : HistoryPosition(
                touch: touches.first,
                orderChange: orderChanges.first,
                released: released.first,
                restored: restored.first
            )
    }

    /// The number of the commit that made the revision; nil if the history lacks it.
    func commit(of revision: UInt64, _ horizon: UInt64) -> Int? {
        guard revision > 0, let number = firstCommit(after: revision - 1, horizon), number < commits.end
        else { return nil }
        return commits[number].revision == revision ? number : nil
    }

    /// The numbers of the commit's touches, and of the models that it released.
    func touches(of commit: Int) -> Range<Int> { start(of: commit).touch..<commits[commit].end.touch }
    func releases(of commit: Int) -> Range<Int> { start(of: commit).released..<commits[commit].end.released }

    /// The number of the first commit after `revision`; nil if the history lacks any commit after it.
    func firstCommit(after revision: UInt64, _ horizon: UInt64) -> Int? {
        guard revision >= horizon else { return nil }
        return (commits.first..<commits.end).first(reaching: { commits[$0].revision > revision })
    }
}

extension StoredValue {
    /// Bytes of text and arrays in it. Recursion is as deep as arrays nest, which the tree bounds.
    @inline(__always) var textBytes: Int {
        switch self {
        case .string(let string): string.count
        case .text(let text): text.count
        case .array(let array): array.textBytes
        default: 0
        }
    }
}

extension StoredArray {
    fileprivate var textBytes: Int {
        if isPlain { return elements.count * MemoryLayout<StoredValue>.stride }
        return elements.reduce(elements.count * MemoryLayout<StoredValue>.stride) { $0 + $1.textBytes }
    }
}
