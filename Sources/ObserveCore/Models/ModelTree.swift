// SPDX-License-Identifier: MIT
// The tree itself: its records and how they are found, made and freed. Knows nothing of clients, queues or threads.

/// Observable models with shared and weak references, and the index of all paths that somebody observes.
///
/// The roots are the properties of one model that has no holder (``rootModel``), so a root is assigned, observed and
/// removed like any property. How it works, by file:
///
/// 1. ``walk(_:)`` finds the place that a path names (`+Walking`);
/// 2. a write compares, assigns, counts references and notes what it touched (`+Writing`, `+Commit`, `+References`);
/// 3. when the commit ends, what died is settled, and computed properties and bindings are brought up to date
///    (`+Settling`); then every touched property's path nodes are visited, branches that lead elsewhere are bound anew,
///    and each path that has observers is told once (`+Telling`);
/// 4. then the dead are freed.
///
/// What a model has, and what may stand in it, is declared for models that have a type (`Types/`); others are open.
///
/// - Threading: none of its own. Its owner confines it to one queue; the sink is called on it, in the middle of a
///   commit, and must not write.
package final class ModelTree {
    package internal(set) var limits: TreeLimits
    /// Clients can't write it, and it may have the reserved root.
    let isReadOnly: Bool
    /// Counts commits: "Revisions" in docs/protocol.md.
    package internal(set) var revision: UInt64 = 0
    /// The Swift models among the models.
    var hosted: HostedModels?

    /// What there is.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var records = Records()
    /// What is observed, and where it leads now.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var paths = PathIndex()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var wildcards = WildcardTable()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var operators = OperatorTable()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var dependents = DependentGraph()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var updates = UpdateQueue()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var bindings = BindingTable()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var temporary = TemporaryValues()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var typing = Typing()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var walk = WalkState()
    /// The commit under way.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var pending = PendingCommit()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var notification = Notification()
    /// What the last commits replaced.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var history = History()
    /// What undoing the commits since ``pin()`` needs.
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var undoing = UndoState()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var replay = Replay()
    #if !DEBUG
        @safe @exclusivity(unchecked)
    #endif
    var hooks = CommitHooks()

    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    init(limits: TreeLimits, isReadOnly: Bool) {
        self.limits = limits
        self.isReadOnly = isReadOnly
    }

    /// How many models there are, the set of roots not counted, nor the dead that the history keeps.
    package var modelCount: Int { records.models.count - 1 - history.released.count }

    /// Whether what is laid out is part of one commit: see ``layOut(_:)``.
    package var isLayingOut: Bool { pending.isLayingOut }

    package var bindingCount: Int { bindings.byNumber.count }

    /// How many bindings could not make their last write, and how many of their writes have failed so far.
    package var failingBindings: Int { bindings.failing }
    package var failedBindingWrites: UInt64 { bindings.failedWrites }

    // MARK: Models and properties

    func makeModel() -> ModelID {
        let model = records.models.allocate()
        records.lastInstance += 1
        records.models[model].instance = records.lastInstance
        if hooks.isRecorded { undoing.created.append(model) }
        return model
    }

    /// The record of that property, present or watched for.
    @inline(__always)
    func property(_ model: ModelID, _ name: NameID) -> PropertyID? {
        records.propertyIndex.find(pairHash(model, name, seed: records.seed)) {
            records.properties[$0].model == model && records.properties[$0].name == name
        }
    }

    /// The property of that name if it is present.
    @inline(__always)
    func presentProperty(_ model: ModelID, _ name: ByteView) -> PropertyID? {
        guard let known = records.names.find(name), let found = property(model, known) else { return nil }
        return records.properties[found].slot.isAbsent ? nil : found
    }

    /// The property's record, made absent if there is none; takes its own reference to the name.
    func propertyOrPlaceholder(_ model: ModelID, _ name: NameID) -> PropertyID {
        if let known = property(model, name) { return known }
        let fresh = records.properties.allocate()
        records.properties[fresh].model = model
        records.properties[fresh].name = name
        records.names.retain(name)
        if records.models[model].type != .noRecord {
            records.properties[fresh].flags = declaredFlags(of: fresh)
        }
        records.propertyIndex.insert(pairHash(model, name, seed: records.seed), fresh)
        return fresh
    }

    /// Frees the record of a property that is absent, unwatched, unread, untouched, and in no commit that is remembered.
    func freeIfUnused(_ id: PropertyID) {
        guard records.properties[id].slot.isAbsent, records.properties[id].bound == .noRecord,
            records.properties[id].touch == 0,
            !records.properties[id].flags.contains(.read), records.properties[id].revision <= history.horizon
        else { return }
        free(id)
    }

    func free(_ id: PropertyID) {
        let (model, name) = (records.properties[id].model, records.properties[id].name)
        records.propertyIndex.remove(pairHash(model, name, seed: records.seed), id)
        records.names.release(name)
        if case .text(let text) = records.properties[id].slot { records.texts.release(text) }
        records.properties.free(id)
    }

    /// Gives the property's record a value, and nothing else. Short text is copied to ``texts``.
    @inline(__always)
    func setValue(_ value: consuming StoredValue, of id: PropertyID) {
        let text = pooled(value)
        var new = StoredValue.absent
        if text.isNone {
            new = value
        } else {
            new = .text(text)
            recycle(string: value)
        }
        swap(&records.properties[id].slot, &new)
        if case .text(let replaced) = new { records.texts.release(replaced) }
    }

    /// A copy of text in ``texts``; none of what is no text, or is too long.
    @inline(__always)
    func pooled(_ value: borrowing StoredValue) -> PooledText {
        var copy = PooledText.none
        value.withText { if $0.count <= TextPool.longest { copy = records.texts.make($0) } }
        return copy
    }

    /// Puts the property after `previous` in its model's order.
    func enlist(_ id: PropertyID, after previous: PropertyID) {
        let model = records.properties[id].model
        let next = previous == .noRecord ? records.models[model].first : records.properties[previous].next
        records.properties[id].previous = previous
        records.properties[id].next = next
        if previous == .noRecord {
            records.models[model].first = id
        } else {
            records.properties[previous].next = id
        }
        if next == .noRecord {
            records.models[model].last = id
        } else {
            records.properties[next].previous = id
        }
        records.models[model].count += 1
        if records.scan.model == model, records.scan.next == next { records.scan.next = id }
    }

    func delist(_ id: PropertyID) {
        let (model, next, previous) = (
            records.properties[id].model, records.properties[id].next, records.properties[id].previous
        )
        if records.scan.model == model, records.scan.next == id { records.scan.next = next }
        if previous == .noRecord {
            records.models[model].first = next
        } else {
            records.properties[previous].next = next
        }
        if next == .noRecord {
            records.models[model].last = previous
        } else {
            records.properties[next].previous = previous
        }
        records.properties[id].next = .noRecord
        records.properties[id].previous = .noRecord
        records.models[model].count -= 1
    }
}
