// SPDX-License-Identifier: MIT
// A tree at one revision, as the lines of a snapshot, while the tree keeps changing. Independent of clients and files.
//
//     {"crc":"…","snapshot":2,"number":2,"revision":40,"epoch":"…","sum":…}
//                                                                         journal 2 continues it from that revision; the
//                                                                         sum is that of the journal's first line
//     {"crc":"…","d":{…}}                                                the declared types: see TypeLines.swift
//     {"crc":"…","m":[[instance,type,removal,"name",value,revision,…],…],"o":[…]}
//     {"crc":"…","end":40,"instance":17,"binding":3,"b":[…],"lines":4}
//
// A dump has neither a journal nor types. Snapshots of version 0.2 and older have each property as it was when it was written:
// see ``TreeBuilder``.

/// All models, or those that a path leads to, at the revision when the view was made.
/// - Bounds: it preserves less than its whole text. Beyond ``Terms/limitBytes`` it ends itself unless ``Terms/isWanted`` returns
///   true: see ``endReason``.
/// - Cost: making a view of a path costs a walk through its models; writing is linear in the text.
final class ReadView: PreUpdateHook {
    /// The approximate length of a line, unless a single value is longer.
    var lineBytes = 64 << 10

    let header: SnapshotHeader
    private unowned let tree: ModelTree
    private let scope: Scope
    private let terms: Terms
    /// The lines before all others, and the last one up to its number of lines.
    private let prologue = ByteBuffer()
    private let epilogue = ByteBuffer()
    private var chain = LineChain()
    /// All is written, or the view was ended.
    private(set) var isDone = false
    /// Why the view ended itself; nil unless it did.
    private(set) var endReason: EndReason?

    /// The bytes that it has preserved, and those that it has written ahead.
    var heldBytes: Int { preserved.byteCount + ahead.byteCount }

    struct Terms {
        let epoch: String
        let clock: WallClock
        var limitBytes = Int.max
        /// Whether it leaves out the values that temporary ones shadow, and shows temporary ones as permanent.
        var isVisibleOnly = false
        /// Called when the view preserves more than ``limitBytes``.
        var isWanted: () -> Bool = { true }
    }

    enum EndReason {
        /// It preserved more than the limit, and was not wanted.
        case limit
        case types
    }

    private var position = Position()
    private var preserved = PreservedState()
    /// Released models, which are written before all others.
    private let ahead = ViewSlice()
    private let slice = ViewSlice()

    private struct Scope {
        /// Newer models do not belong to it.
        let lastInstance: UInt64
        /// Indexed by the models' numbers; nil for all models.
        var reached: [Bool]?

        func contains(_ model: ModelID) -> Bool {
            guard let reached else { return true }
            return model.index < reached.count && reached[model.index]
        }
    }

    /// The model that is written next, and the first of its properties that is not written yet.
    private struct Position {
        var model: ModelID = .noRecord
        var next: PropertyID = .noRecord
        /// The index of ``next`` in the order that was preserved.
        var nextPreserved = 0
    }

    private var reader: TreeReader { TreeReader(tree) }

    /// A view of all roots. Made between commits.
    /// - Parameter journal: the number of the journal that continues it, and the checksum of that journal's first line;
    ///   nil for a dump.
    init(of tree: ModelTree, _ terms: Terms, journal: (number: Int, sum: UInt32)? = nil) {
        let reader = tree.reader
        let root = reader.root
        self.tree = tree
        self.terms = terms
        scope = Scope(
            lastInstance: reader.lastInstance,
            reached: terms.isVisibleOnly ? reader.reached(from: .model(root), isVisibleOnly: true) : nil
        )
        header = SnapshotHeader(
            number: journal?.number ?? 0,
            revision: reader.revision,
            epoch: terms.epoch,
            sum: journal?.sum
        )
        header.append(to: prologue)
        if journal != nil { reader.appendTypes(to: prologue) }
        reader.beginSnapshotEnd(reader.bindings, to: epilogue)
        begin(at: root)
    }

    /// A view of the value at `path`, which is literal, and of all models that strong references lead to from there. Weak
    /// references that lead out of it are null. It has the bindings with both ends at or below the path.
    ///
    /// - Errors: the path has no value. Null is a value.
    init(of tree: ModelTree, at path: ParsedKeyPath, _ terms: Terms) throws(TreeError) {
        let place = tree.walk(path)
        switch place {
        case .property, .element: break
        case .missingProperty, .missingElement, .broken:
            let why = "there is nothing at \(path.escaped)\(place.reason(on: path))"
            throw TreeError(kind: .notFound, message: why, path: path.escaped)
        }
        let (reader, value) = (tree.reader, tree.value(at: place))
        self.tree = tree
        self.terms = terms
        scope = Scope(
            lastInstance: reader.lastInstance,
            reached: reader.reached(from: value, isVisibleOnly: terms.isVisibleOnly)
        )
        header = SnapshotHeader(revision: reader.revision, epoch: terms.epoch, path: path.escaped)
        header.append(to: prologue)
        slice.models.append("[0,null,0,")
        slice.models.appendJSONString(decoded: path.name(path.count - 1))
        slice.models.append(0x2C)
        reader.appendStored(value, isWeak: false, to: slice.models)
        slice.models.append(",", reader.revision)
        slice.models.append(0x5D)
        slice.write(to: prologue)
        let bindings = reader.bindings.filter { $0.source.begins(with: path) && $0.target.begins(with: path) }
        reader.beginSnapshotEnd(bindings, to: epilogue)
        begin(at: reader.root.advanced(by: 1))
    }

    private func begin(at first: ModelID) {
        enter(first)
        if position.model != .noRecord { tree.add(self) }
    }

    func end() {
        tree.remove(self)
        isDone = true
        position = Position()
        preserved.removeAll()
        ahead.removeAll()
    }

    // MARK: Writing

    /// Appends the next lines, of about so many bytes.
    func write(to out: ByteBuffer, bytes: Int) {
        let start = out.count
        guard !isDone else { return }
        assert(slice.byteCount == 0, "a line was left open")
        out.append(prologue.view)
        prologue.removeAll()
        if !ahead.models.isEmpty { ahead.write(to: out) }
        while position.model != .noRecord, out.count - start < bytes {
            while position.model != .noRecord, slice.models.count < lineBytes {
                let model = position.model
                write(model, to: slice, upTo: lineBytes)
                if position.next == .noRecord {
                    preserved.removeOrder(of: model)
                    enter(model.advanced(by: 1))
                }
            }
            slice.write(to: out)
        }
        chain.seal(out, from: start)
        guard position.model == .noRecord else { return }
        let last = out.count
        out.append(epilogue.view)
        out.append(",\"lines\":", chain.count + 1)
        CheckedLine.end(out)
        chain.seal(out, from: last)
        end()
    }

    /// Appends the remaining properties of the model at the position, or as many as fit.
    private func write(_ model: ModelID, to slice: ViewSlice, upTo limit: Int) {
        let (reader, order, out) = (reader, preserved.order(of: model), slice.models)
        if !out.isEmpty { out.append(0x2C) }
        reader.appendModelHead(model, to: out)
        out.append(",", order?.removalRevision ?? reader.removalRevision(of: model))
        while position.next != .noRecord {
            write(position.next, of: reader, to: slice)
            if let order {
                position.nextPreserved += 1
                position.next =
                    position.nextPreserved < order.properties.count
                    ? order.properties[position.nextPreserved] : .noRecord
            } else {
                position.next = reader.property(after: position.next)
            }
            if out.count >= limit { break }
        }
        out.append(0x5D)
    }

    private func write(_ id: PropertyID, of reader: TreeReader, to slice: ViewSlice) {
        slice.models.append(0x2C)
        if preserved.moveValue(of: id, to: slice) { return }
        reader.appendEntry(id, isNull: leadsOutOfView(id), to: slice.models)
        if hasStack(id) {
            slice.beginStack()
            reader.appendStackEntry(id, terms.clock, to: slice.stacks)
        }
    }

    private func hasStack(_ id: PropertyID) -> Bool { !terms.isVisibleOnly && reader.hasStack(id) }

    /// Whether the property is a weak reference to a model outside of the view.
    private func leadsOutOfView(_ id: PropertyID) -> Bool {
        guard scope.reached != nil, case .value(let value, isWeak: true) = reader.content(of: id),
            let target = value.modelID
        else { return false }
        return !scope.contains(target)
    }

    /// Moves to the first model to be written, from `first` on.
    private func enter(_ first: ModelID) {
        let end = scope.reached.map { ModelID(index: $0.count) } ?? reader.modelEnd
        let model = reader.firstModel(from: first, before: end) { isPart($1, instance: $0) }
        position = model.map(start) ?? Position()
    }

    private func start(of model: ModelID) -> Position {
        let order = preserved.order(of: model)
        let first = order.map { $0.properties.first ?? .noRecord } ?? reader.firstProperty(of: model)
        return Position(model: model, next: first)
    }

    /// Whether the model is the one that is written now, or may come after it.
    private func isToBeWritten(_ model: ModelID) -> Bool {
        guard position.model != .noRecord, model >= position.model else { return false }
        let instance = reader.instance(of: model)
        return (instance != 0 || model == reader.root) && isPart(model, instance: instance)
    }

    private func isPart(_ model: ModelID, instance: UInt64) -> Bool {
        instance <= scope.lastInstance && scope.contains(model) && !preserved.isReleased(instance)
    }

    // MARK: Changes

    func willAssign(_ id: PropertyID) {
        let reader = reader
        guard !preserved.hasValue(of: id), reader.isPresent(id), isToBeWritten(reader.model(of: id))
        else { return }
        let (isNull, clock) = (leadsOutOfView(id), terms.clock)
        preserved.keepValue(
            of: id,
            entry: { reader.appendEntry(id, isNull: isNull, to: $0) },
            stack: hasStack(id) ? { reader.appendStackEntry(id, clock, to: $0) } : nil
        )
        checkBounds()
    }

    func willReorder(_ model: ModelID) {
        guard preserved.order(of: model) == nil, isToBeWritten(model) else { return }
        var properties: [PropertyID] = []
        var id = model == position.model ? position.next : reader.firstProperty(of: model)
        while id != .noRecord {
            properties.append(id)
            id = reader.property(after: id)
        }
        if model == position.model { position.nextPreserved = 0 }
        let removal = reader.removalRevision(of: model)
        preserved.keep(PreservedState.Order(properties: properties, removalRevision: removal), of: model)
        checkBounds()
    }

    func didRelease(_ model: ModelID) {
        guard isToBeWritten(model) else { return }
        let present = position
        if model != present.model { position = start(of: model) }
        write(model, to: ahead, upTo: .max)
        preserved.noteReleased(reader.instance(of: model))
        preserved.removeOrder(of: model)
        if model == present.model { enter(model.advanced(by: 1)) } else { position = present }
        checkBounds()
    }

    func didRestore(_ model: ModelID) { preserved.noteReleased(reader.instance(of: model)) }

    private func checkBounds() {
        guard preserved.byteCount + ahead.byteCount > terms.limitBytes, !terms.isWanted() else { return }
        end()
        endReason = .limit
    }

    func willChangeTypes() {
        end()
        endReason = .types
    }
}

extension ParsedKeyPath {
    fileprivate func begins(with other: ParsedKeyPath) -> Bool {
        count >= other.count && (0..<other.count).allSatisfy { name($0) == other.name($0) }
    }
}

extension Place {
    /// Why the path leads nowhere, as the end of a sentence.
    fileprivate func reason(on path: ParsedKeyPath) -> String {
        switch self {
        case .broken(let component, isScalar: true): ": \(path.escaped(first: component + 1)) is not a model"
        case .broken(let component, isScalar: false): ": \(path.escaped(first: component + 1)) is null"
        default: ""
        }
    }
}
