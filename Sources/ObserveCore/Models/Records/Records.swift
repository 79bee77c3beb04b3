// SPDX-License-Identifier: MIT
// Models, properties, names and texts as numbered records, and who refers to whom.

/// Models, their properties, names and texts, and who refers to whom: what there is.
@safe
struct Records: ~Copyable {
    var names: NameTable
    /// The texts of properties, of what the history keeps of those, and of observed paths.
    var texts = TextPool()
    var models = Arena(blank: ModelRecord())
    var properties = Arena(blank: PropertyRecord())
    /// (model, name) → property, absent ones that are watched for included.
    var propertyIndex = HashIndex<PropertyRecord>()
    let seed: UInt64
    var lastInstance: UInt64 = 0
    let root: ModelID
    /// Where a snapshot that is being written stands.
    var scan = ScanCursor()
    /// The properties that hold strong references beyond a model's first two.
    var furtherHolders: Referrers
    /// The weak properties that refer to a model now.
    var weakReferrers: Referrers
    /// Text that was replaced and is remembered no more: the next takes its place in memory.
    var spareText: StoredString?

    init() {
        seed = UInt64.random(in: .min ... .max)
        names = NameTable(seed: seed)
        furtherHolders = Referrers(seed: seed)
        weakReferrers = Referrers(seed: seed)
        root = models.allocate()
        models[root].strongReferences = 1
    }
}

extension Records {
    /// A copy of text in ``texts``; none of what is no text, or is too long.
    @inline(__always)
    mutating func pooled(_ value: borrowing StoredValue) -> PooledText {
        var copy = PooledText.none
        value.withText { if $0.count <= TextPool.longest { copy = texts.make($0) } }
        return copy
    }
}
