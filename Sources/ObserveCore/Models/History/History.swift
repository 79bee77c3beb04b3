// SPDX-License-Identifier: MIT
// What the last commits replaced, so that they can be undone and told again. Data and bounds; the tree acts.

/// One commit of the past. What it did follows in the history's queues what its predecessor did.
struct PastCommit {
    /// Assignments of equal values alone are no commit: they are kept under the revision that was current.
    let revision: UInt64
    /// Its place in ``History/authors``.
    let author: Int
    /// How much in ``History/touches``, ``History/orderChanges`` and ``History/released`` is its own.
    let touches: Int32
    let orderChanges: Int32
    let released: Int32
}

/// What a ``Touch`` leaves behind. Small, as every write writes one: the fields stand in the order that packs them.
struct PastTouch {
    /// What the property held before, or, while the commit is undone, after; of a single edit, the element that it
    /// brings, while that is undone.
    var old: StoredValue
    var wasWeak: Bool
    let isChanged: Bool
    let isAssignedEqual: Bool
    /// It left the property absent.
    let isRemoval: Bool
    let property: PropertyID
    let cause: ChangeCause
    let edits: ArrayEdits

    /// The touch as it was when the commit was told.
    var touch: Touch {
        Touch(
            property: property,
            old: old,
            oldFlags: wasWeak ? .weak : [],
            oldRevision: 0,
            edits: edits,
            isChanged: isChanged,
            isAssignedEqual: isAssignedEqual,
            cause: cause
        )
    }

    /// The one edit that is undone and done again in place.
    var edit: ArrayEdit? {
        if case .one(let edit) = edits, !edit.isEqual { return edit }
        return nil
    }

    /// Bytes of text and arrays that it keeps from being freed.
    @inline(__always)
    var textBytes: Int { edits.isEmpty ? old.textBytes : old.textBytes &+ edits.textBytes }
}

extension ArrayEdits {
    /// Bytes of text and arrays that only it keeps.
    var textBytes: Int { if case .one(let edit) = self { edit.old.textBytes } else { 0 } }
}

/// Who asked for a commit, as far as it must outlive whoever that was. What the numbers mean is the business of
/// whoever sets them.
struct CommitAuthor: Equatable {
    /// 0 for nobody in particular.
    var number: Int32 = 0
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
    var lifetime: Int64 = 0
}

/// The last commits, with what each property held before them.
///
/// Nothing is copied: a commit's touches are moved here when it has been told, and models that died in it stay in their
/// records, as they were then, until it is forgotten. So the records' numbers mean here what they meant then.
///
/// - Bounds: ``commitLimit`` commits; of properties, those of the dead included, as many as the tree has itself, or
///   ``fewestProperties`` if it has fewer, at most ``mostProperties``; and ``textLimit`` bytes of text and arrays.
struct History: ~Copyable {
    /// What undoing the commits since ``ModelTree/pin()`` needs.
    var undoing = UndoState()
    static let fewestProperties = 1000
    static let mostProperties = 1 << 16
    static let textLimit = 1 << 20

    /// How many commits are kept; 0 for a tree that needs no history.
    var commitLimit = 0
    var commits = Ring<PastCommit>()
    /// Who asked for them; neighbours by the same author share one entry.
    var authors = Ring<CommitAuthor>()
    var touches = Ring<PastTouch>()
    var orderChanges = Ring<OrderChange>()
    var released = Ring<ModelID>()
    /// How many properties the dead have.
    var releasedProperties = 0
    /// Bytes of text and arrays that only the history holds.
    var textBytes = 0
    /// Every commit after this revision is here.
    var horizon = UInt64.max

    /// Adds a commit that gave one property another scalar.
    @inline(__always)
    mutating func append(
        _ old: consuming StoredValue,
        of property: PropertyID,
        _ cause: ChangeCause,
        by author: CommitAuthor,
        at revision: UInt64
    ) {
        textBytes &+= old.textBytes
        touches.append(
            PastTouch(
                old: old,
                wasWeak: false,
                isChanged: true,
                isAssignedEqual: false,
                isRemoval: false,
                property: property,
                cause: cause,
                edits: .none
            )
        )
        endCommit(revision, by: author, touches: 1)
    }

    /// Makes a commit of the last of what was appended.
    @inline(__always)
    mutating func endCommit(
        _ revision: UInt64,
        by author: CommitAuthor,
        touches: Int,
        orderChanges: Int = 0,
        released: Int = 0
    ) {
        if authors.isEmpty || authors[authors.end - 1] != author { authors.append(author) }
        commits.append(
            PastCommit(
                revision: revision,
                author: authors.end - 1,
                touches: Int32(touches),
                orderChanges: Int32(orderChanges),
                released: Int32(released)
            )
        )
    }

    /// The first commit after `revision`; nil if not all are here.
    func firstCommit(after revision: UInt64) -> Int? {
        guard revision >= horizon else { return nil }
        var (low, high) = (commits.first, commits.end)
        while low < high {
            let middle = (low + high) / 2
            if commits[middle].revision > revision { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension StoredValue {
    /// Bytes of text and arrays in it. Recursion is as deep as arrays nest, which the tree bounds.
    @inline(__always)
    var textBytes: Int {
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
        elements.reduce(elements.count * MemoryLayout<StoredValue>.stride) { $0 + $1.textBytes }
    }
}
