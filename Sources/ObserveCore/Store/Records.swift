// SPDX-License-Identifier: MIT
// Models, properties, names and texts as numbered records, and the references between them.

/// Models, their properties, names and texts, and the references between them.
@safe
struct Records: ~Copyable {
    var limits: TreeLimits
    /// The work so far, and how many more records a request may look at.
    var effort = Effort()
    var names: NameTable
    /// The short texts of properties and of their old values, and the texts of observed paths.
    var texts = TextPool()
    var models = Arena(blank: ModelRecord())
    var properties = Arena(blank: PropertyRecord())
    /// (model, name) → property, including placeholders for absent ones.
    var propertyIndex = HashIndex<PropertyRecord>()
    let seed: UInt64
    var lastInstance: UInt64 = 0
    let root: ModelID
    /// The properties that hold strong references beyond a model's first two.
    var furtherHolders: Referrers
    /// The weak properties that refer to a model now.
    var weakReferrers: Referrers
    /// Models that had no strong reference at some moment of the open commit; empty between commits.
    var unreferenced = Scratch<ModelID>()
    /// A replaced text: the next text reuses its memory if nothing else refers to it.
    var spareText: StoredString?
    /// About how many bytes of memory the tree's models, properties and values take, and the staged ones: see ``usedBytes``.
    var livingBytes = 0
    let staging = StagingArea()
    /// The conditions in use, by their texts.
    var conditions: [NameID: SharedCondition] = [:]

    init(limits: TreeLimits) {
        self.limits = limits
        seed = UInt64.random(in: .min ... .max)
        names = NameTable(seed: seed)
        furtherHolders = Referrers(seed: seed)
        weakReferrers = Referrers(seed: seed)
        root = models.allocate()
        models[root].strongReferences = 1
    }
}

extension Records {
    /// A copy of a short text in ``texts``; `none` for long texts and other values.
    @inline(__always)
    mutating func pooled(_ value: borrowing StoredValue) -> PooledText {
        var copy = PooledText.none
        value.withText { if $0.count <= TextPool.longest { copy = texts.make($0) } }
        return copy
    }
}
