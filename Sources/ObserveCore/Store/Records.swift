// SPDX-License-Identifier: MIT
// Models, properties, names and texts as numbered records, and the references between them.

@safe struct Records: ~Copyable {
    private let anchor = Anchor()
    var limits: TreeLimits
    /// The limits under which the computed properties have their values.
    var computedUnder: ComputingLimits
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
    private(set) var livingBytes = 0
    let staging = StagingArea()
    /// The history has every commit after this revision, so it needs the records of absent properties that changed later.
    var horizon = UInt64.max
    /// The conditions in use, by their texts.
    var conditions: [NameID: SharedCondition] = [:]

    init(limits: TreeLimits) {
        self.limits = limits
        computedUnder = limits.computing
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
    @inline(__always) mutating func pooled(_ value: borrowing StoredValue) -> PooledText {
        var copy = PooledText.none
        value.withText { if $0.count <= TextPool.longest { copy = texts.make($0) } }
        return copy
    }

    // MARK: Texts

    @inline(__always) mutating func makeValue(_ canonicalContents: ByteView) -> StoredValue {
        canonicalContents.count <= TextPool.longest
            ? .text(texts.make(canonicalContents)) : .string(makeText(canonicalContents))
    }

    /// Makes a text with its own reference count.
    @inline(__always) mutating func makeText(_ canonicalContents: ByteView) -> StoredString {
        if var spare = spareText.take(), isKnownUniquelyReferenced(&spare), spare.take(canonicalContents) {
            return spare
        }
        return .make(canonicalContents)
    }

    /// Keeps a replaced text for ``makeText(_:)``.
    @inline(__always) mutating func recycle(string value: consuming StoredValue) {
        guard case .string(let text) = consume value else { return }
        if text.room <= 4096 { spareText = text }
    }

    // MARK: Memory

    /// About how many bytes of memory the tree takes, without temporary values and staged models. Counted, not computed.
    @inline(__always) var usedBytes: Int { countedBytes &- staging.bytes }

    /// The same with staged models.
    @inline(__always) var countedBytes: Int {
        livingBytes &+ names.livingBytes &+ furtherHolders.usedBytes &+ weakReferrers.usedBytes
    }

    static var modelBytes: Int { MemoryLayout<ModelRecord>.stride }

    /// The bytes of a property without its name, and without text and elements.
    static var propertyBytes: Int {
        MemoryLayout<PropertyRecord>.stride &+ HashIndex<PropertyRecord>.entryBytes
    }

    @inline(__always) mutating func countProperty(_ id: PropertyID) {
        livingBytes &+= Records.propertyBytes
        names.addLiving(properties[id].name)
    }

    @inline(__always) mutating func discountProperty(_ id: PropertyID) {
        livingBytes &-= Records.propertyBytes
        names.removeLiving(properties[id].name)
    }

    /// Counts the property's new value. A selection is its observers': it counts nothing.
    /// - Parameter old: `inout`, since a borrowed one would be copied, which counts a reference.
    @inline(__always) private mutating func countValue(of id: PropertyID, insteadOf old: inout StoredValue) {
        if isSelection(id) { return }
        livingBytes &+= properties[id].slot.storageBytes &- old.storageBytes
    }

    /// Swaps the property's value with `value`, which may own its text.
    @inline(__always) mutating func exchange(_ value: inout StoredValue, of id: PropertyID) {
        swap(&properties[id].slot, &value)
        countValue(of: id, insteadOf: &value)
    }

    /// Gives the property another scalar, a text or not. Its former one, `old`, was swapped out before.
    @inline(__always) mutating func assign(
        _ new: inout StoredValue,
        isText: Bool,
        of id: PropertyID,
        insteadOf old: inout StoredValue
    ) {
        swap(&properties[id].slot, &new)
        if isText || !old.isPlain { countValue(of: id, insteadOf: &old) }
    }

    @inline(__always) mutating func allocateModel() -> ModelID {
        livingBytes &+= Records.modelBytes
        return models.allocate()
    }

    /// Frees a model whose properties are freed.
    mutating func free(_ model: ModelID) {
        livingBytes &-= Records.modelBytes
        models.free(model)
    }

    /// Makes a released model a part of the tree again, with its memory and its references.
    mutating func restore(_ model: ModelID) {
        models[model].isReleased = false
        livingBytes &+= Records.modelBytes
        var id = models[model].first
        while id != .noRecord {
            reference(properties[id].slot, from: id, isWeak: properties[id].isWeak)
            countProperty(id)
            livingBytes &+= properties[id].slot.storageBytes
            id = properties[id].next
        }
    }

    /// Takes a model that the tree released out of what is counted, with its references.
    mutating func release(_ model: ModelID) {
        models[model].isReleased = true
        livingBytes &-= Records.modelBytes
        var id = models[model].first
        while id != .noRecord {
            if properties[id].slot.isContainer {
                dereference(properties[id].slot, from: id, isWeak: properties[id].isWeak)
            }
            discountWhole(id)
            id = properties[id].next
        }
    }

    /// Counts a property of a model that leaves the tree, with its value.
    @inline(__always) mutating func discountWhole(_ id: PropertyID) {
        discountProperty(id)
        livingBytes &-= properties[id].slot.storageBytes
    }
}
