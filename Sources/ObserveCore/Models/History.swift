// SPDX-License-Identifier: MIT
// What the last commits replaced, so that they can be undone and told again. Data and bounds; the tree acts.

/// One commit of the past. What it did follows in the history's queues what its predecessor did.
struct PastCommit {
    /// Assignments of equal values alone are no commit: they are kept under the revision that was current.
    let revision: UInt64
    let author: CommitAuthor
    /// Where in ``History/touches``, ``History/orderChanges`` and ``History/dead`` its own end.
    let touchEnd: Int
    let orderEnd: Int
    let deadEnd: Int
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
    static let fewestProperties = 1000
    static let mostProperties = 1 << 16
    static let textLimit = 1 << 20

    /// How many commits are kept; 0 for a tree that needs no history.
    var commitLimit = 0
    var commits = Ring<PastCommit>()
    var touches = Ring<Touch>()
    var orderChanges = Ring<OrderChange>()
    var dead = Ring<ModelID>()
    /// How many properties the dead have.
    var deadProperties = 0
    /// Bytes of text and arrays that only the history holds.
    var textBytes = 0
    /// Every commit after this revision is here.
    var horizon = UInt64.max

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

    /// The commit's own in ``touches``.
    func touches(of number: Int) -> Range<Int> {
        let start = number == commits.first ? touches.first : commits[number - 1].touchEnd
        return start..<commits[number].touchEnd
    }

    /// The commit's own in ``orderChanges``.
    func orderChanges(of number: Int) -> Range<Int> {
        let start = number == commits.first ? orderChanges.first : commits[number - 1].orderEnd
        return start..<commits[number].orderEnd
    }
}

extension StoredValue {
    /// Bytes of text and arrays in it. Recursion is as deep as arrays nest, which the tree bounds.
    @inline(__always)
    var textBytes: Int {
        switch self {
        case .string(let string): string.count
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
