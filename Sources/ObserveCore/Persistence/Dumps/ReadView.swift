// SPDX-License-Identifier: MIT
// A tree at one revision, as the lines of a snapshot, while it goes on changing. Knows no client and no file.
//
// Models are written in the order of their records. What is about to be changed and was not written yet is kept as it
// was: a property's text, the order of a model's properties, a whole model when it dies. So a commit pays for what it
// touches, once, and the picture takes room for what was touched while it was being taken.

/// A picture of all models, or of those that a path leads to, as they are when it is made.
///
/// - Bounds: what it keeps is less than its whole text. Beyond `limitBytes` it asks whether somebody still wants it, and is
///   given up if not (``isGivenUp``).
/// - Threading: none of its own; confined with its tree.
/// - Cost: making one of a part costs a walk through that part; writing, what is written.
final class ReadView: PreUpdateHook {
    /// Lines are this long, but for single values that are longer.
    var lineBytes = 64 << 10

    unowned let tree: ModelTree
    let header: SnapshotHeader
    private let clock: WallClock
    private let limitBytes: Int
    /// Asked when much is kept.
    private let isWanted: () -> Bool
    private let lastInstance: UInt64
    /// The models that the picture is of; nil for all.
    private var scope: [Bool]?
    /// Lines that come before all others, and the last one.
    private let prologue = ByteBuffer()
    private let epilogue = ByteBuffer()
    /// Nothing more is to be written.
    private(set) var isDone = false
    /// It would have had to keep much, for nobody.
    private(set) var isGivenUp = false

    /// The model that is written next, and the first of its properties that is not written yet.
    private var model: ModelID = .noRecord
    private var next: PropertyID = .noRecord
    /// The same in ``frozen``.
    private var nextFrozen = 0

    /// The properties of a model as they stood, from the first that was not written yet.
    private struct Frozen {
        let properties: [PropertyID]
        let removalRevision: UInt64
    }
    private var frozen: [ModelID: Frozen] = [:]
    private var frozenCount = 0
    /// Properties, and what lies below them, as they were: where in ``savedText``.
    private var saved: [PropertyID: (entry: Range<Int>, stack: Range<Int>)] = [:]
    private let savedText = ByteBuffer()
    /// The models that died, by their instances, and were written at once: here.
    private var dead: Set<UInt64> = []
    private let ahead = Slice()

    /// What one line says.
    private final class Slice {
        let models = ByteBuffer()
        let stacks = ByteBuffer()

        func append(to out: ByteBuffer) {
            let start = out.count
            CheckedLine.begin(out)
            out.append("\"m\":[")
            out.append(models.view)
            out.append(0x5D)
            if !stacks.isEmpty {
                out.append(",\"o\":[")
                out.append(stacks.view)
                out.append(0x5D)
            }
            CheckedLine.end(out, from: start)
            models.removeAll()
            stacks.removeAll()
        }
    }
    private let slice = Slice()

    /// Takes a picture of all roots. Between commits.
    init(
        of tree: ModelTree,
        epoch: String,
        clock: WallClock,
        limitBytes: Int,
        isWanted: @escaping () -> Bool
    ) {
        self.tree = tree
        self.clock = clock
        self.limitBytes = limitBytes
        self.isWanted = isWanted
        header = SnapshotHeader(revision: tree.revision, epoch: epoch)
        lastInstance = tree.records.lastInstance
        header.append(to: prologue)
        tree.appendSnapshotEnd(tree.dependents.bindings.byNumber.keys.sorted(), to: epilogue)
        begin(at: tree.records.root)
    }

    /// Takes a picture of what is at `path`, which is literal, and of what strong references lead to from there.
    ///
    /// Weak references that lead out of it are null in it. Of bindings it has those with both ends below the path.
    ///
    /// - Errors: there must be something, if only null.
    init(
        of tree: ModelTree,
        at path: ParsedKeyPath,
        epoch: String,
        clock: WallClock,
        limitBytes: Int,
        isWanted: @escaping () -> Bool
    ) throws(TreeError) {
        let place = tree.walk(path)
        switch place {
        case .property, .element: break
        case .missingProperty, .missingElement, .broken:
            throw TreeError(
                kind: .notFound,
                message: "there is nothing at \(path.escaped)\(tree.reason(of: place, on: path))",
                path: path.escaped
            )
        }
        self.tree = tree
        self.clock = clock
        self.limitBytes = limitBytes
        self.isWanted = isWanted
        header = SnapshotHeader(revision: tree.revision, epoch: epoch, path: path.escaped)
        lastInstance = tree.records.lastInstance
        header.append(to: prologue)
        let value = tree.value(at: place)
        scope = tree.reached(from: value, tree.temporary.stacks)
        slice.models.append("[0,null,0,")
        slice.models.appendJSONString(decoded: path.name(path.count - 1))
        slice.models.append(0x2C)
        tree.appendStored(value, isWeak: false, to: slice.models)
        slice.models.append(0x2C)
        slice.models.append(decimal: tree.revision)
        slice.models.append(0x5D)
        slice.append(to: prologue)
        let bindings = tree.allBindings.filter {
            $0.source.begins(with: path) && $0.target.begins(with: path)
        }
        tree.appendSnapshotEnd(bindings.map(\.number), to: epilogue)
        begin(at: tree.records.root.advanced(by: 1))
    }

    private func begin(at first: ModelID) {
        enter(first)
        if model != .noRecord { tree.add(self) }
    }

    /// Ends it before it is done.
    func end() {
        tree.remove(self)
        isDone = true
        model = .noRecord
        next = .noRecord
        scope = nil
        frozen = [:]
        saved = [:]
        savedText.removeAll()
        dead = []
        ahead.models.removeAll()
        ahead.stacks.removeAll()
    }

    private func cancel() {
        end()
        isGivenUp = true
    }

    // MARK: Writing

    /// Appends the next lines: about so many bytes.
    func write(to out: ByteBuffer, bytes: Int) {
        let start = out.count
        guard !isDone else { return }
        out.append(prologue.view)
        prologue.removeAll()
        if !ahead.models.isEmpty { ahead.append(to: out) }
        while model != .noRecord, out.count - start < bytes {
            while model != .noRecord, slice.models.count < lineBytes {
                write(model, to: slice, upTo: lineBytes)
                if next == .noRecord {
                    forget(model)
                    enter(model.advanced(by: 1))
                }
            }
            slice.append(to: out)
        }
        guard model == .noRecord else { return }
        out.append(epilogue.view)
        end()
    }

    /// Appends what is left of the model under way, and stands behind what it has appended.
    private func write(_ model: ModelID, to slice: Slice, upTo limit: Int) {
        let known = frozen[model]
        let out = slice.models
        if !out.isEmpty { out.append(0x2C) }
        tree.appendModelHead(model, to: out)
        out.append(0x2C)
        out.append(decimal: known?.removalRevision ?? tree.records.models[model].removalRevision)
        while next != .noRecord {
            write(next, to: slice)
            if let known {
                nextFrozen += 1
                next = nextFrozen < known.properties.count ? known.properties[nextFrozen] : .noRecord
            } else {
                next = tree.records.properties[next].next
            }
            if out.count >= limit { break }
        }
        out.append(0x5D)
    }

    private func write(_ id: PropertyID, to slice: Slice) {
        slice.models.append(0x2C)
        if let known = saved.removeValue(forKey: id) {
            slice.models.append(savedText.view.slice(known.entry))
            if !known.stack.isEmpty {
                if !slice.stacks.isEmpty { slice.stacks.append(0x2C) }
                slice.stacks.append(savedText.view.slice(known.stack))
            }
            if saved.isEmpty { savedText.removeAll() }
            return
        }
        appendEntry(id, to: slice.models)
        if tree.records.properties[id].flags.contains(.isTemporary) {
            if !slice.stacks.isEmpty { slice.stacks.append(0x2C) }
            tree.appendStackEntry(id, clock, to: slice.stacks)
        }
    }

    private func appendEntry(_ id: PropertyID, to out: ByteBuffer) {
        tree.appendEntry(id, isNull: leadsOut(id), to: out)
    }

    /// Whether it is a weak reference to a model that the picture does not have.
    private func leadsOut(_ id: PropertyID) -> Bool {
        guard let scope, tree.records.properties[id].isWeak,
            !tree.records.properties[id].flags.contains(.computed),
            let target = tree.records.properties[id].slot.modelID
        else { return false }
        return target.index >= scope.count || !scope[target.index]
    }

    /// The model is written.
    private func forget(_ model: ModelID) {
        if let known = frozen.removeValue(forKey: model) { frozenCount -= known.properties.count }
    }

    /// Stands before the first model from there on that is to be written.
    private func enter(_ first: ModelID) {
        let end = ModelID(index: scope?.count ?? tree.records.models.allocatedCount)
        model = first
        while model < end, !isToBeWritten(model) || tree.records.models[model].isReleased {
            model = model.advanced(by: 1)
        }
        guard model < end else {
            model = .noRecord
            next = .noRecord
            return
        }
        nextFrozen = 0
        next = frozen[model].map { $0.properties.first ?? .noRecord } ?? tree.records.models[model].first
    }

    /// Whether the model is the one under way, or may come after it.
    private func isToBeWritten(_ model: ModelID) -> Bool {
        guard self.model != .noRecord, model >= self.model else { return false }
        if let scope, model.index >= scope.count || !scope[model.index] { return false }
        let instance = tree.records.models[model].instance
        // Free records have no instance; nor has the set of roots.
        guard instance != 0 || model == tree.records.root else { return false }
        return instance <= lastInstance && !dead.contains(instance)
    }

    // MARK: Changes

    func willAssign(_ id: PropertyID) {
        let model = tree.records.properties[id].model
        guard saved[id] == nil, !tree.records.properties[id].slot.isAbsent, isToBeWritten(model) else {
            return
        }
        let start = savedText.count
        appendEntry(id, to: savedText)
        let middle = savedText.count
        if tree.records.properties[id].flags.contains(.isTemporary) {
            tree.appendStackEntry(id, clock, to: savedText)
        }
        saved[id] = (start..<middle, middle..<savedText.count)
        checkBounds()
    }

    func willReorder(_ model: ModelID) {
        guard frozen[model] == nil, isToBeWritten(model) else { return }
        var properties: [PropertyID] = []
        var id = model == self.model ? next : tree.records.models[model].first
        while id != .noRecord {
            properties.append(id)
            id = tree.records.properties[id].next
        }
        if model == self.model { nextFrozen = 0 }
        frozen[model] = Frozen(
            properties: properties,
            removalRevision: tree.records.models[model].removalRevision
        )
        frozenCount += properties.count
        checkBounds()
    }

    func didDie(_ model: ModelID) {
        guard isToBeWritten(model) else { return }
        let (presentModel, presentNext, presentFrozen) = (self.model, next, nextFrozen)
        if model != self.model {
            nextFrozen = 0
            next = frozen[model].map { $0.properties.first ?? .noRecord } ?? tree.records.models[model].first
        }
        write(model, to: ahead, upTo: .max)
        dead.insert(tree.records.models[model].instance)
        forget(model)
        if model == presentModel {
            enter(model.advanced(by: 1))
        } else {
            (self.model, next, nextFrozen) = (presentModel, presentNext, presentFrozen)
        }
        checkBounds()
    }

    private func checkBounds() {
        let kept =
            savedText.count + ahead.models.count + ahead.stacks.count
            + frozenCount * MemoryLayout<PropertyID>.stride
        if kept > limitBytes, !isWanted() { cancel() }
    }
}

extension ParsedKeyPath {
    /// Whether the path is `other`, or leads on from there.
    fileprivate func begins(with other: ParsedKeyPath) -> Bool {
        count >= other.count && (0..<other.count).allSatisfy { name($0) == other.name($0) }
    }
}

extension ModelTree {
    /// Why a place is not there, to be put after a sentence.
    fileprivate func reason(of place: Place, on path: ParsedKeyPath) -> String {
        switch place {
        case .broken(let component, isScalar: true): ": \(path.escaped(first: component + 1)) is no model"
        case .broken(let component, isScalar: false): ": \(path.escaped(first: component + 1)) is null"
        default: ""
        }
    }
}
