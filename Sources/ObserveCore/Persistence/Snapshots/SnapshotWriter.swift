// SPDX-License-Identifier: MIT
// A whole tree as lines, slice by slice while it goes on changing. Knows no files and no clock.
//
//     {"crc":"…","snapshot":1,"number":2,"revision":40,"epoch":"…"}      it began with journal 2, at that revision
//     {"crc":"…","m":[[instance,type,removal,"name",value,revision,…],…],"o":[…],"b":[…]}
//     {"crc":"…","end":44,"instance":17,"binding":3}                      it ended at that revision
//
// A property is written as it is when its slice is, with the commit that assigned it. Together with the commits between
// the two revisions that is one state: see ``StateLoader``.

/// Writes a tree down bit by bit. At most one at a time for a tree.
///
/// - Cost: a slice is as long as its caller lets it be; nothing is copied in advance.
final class SnapshotWriter {
    private let tree: ModelTree
    private let clock: WallClock
    private(set) var isDone = false
    private var nextBinding: Int32 = 1

    init(_ tree: ModelTree, clock: WallClock) {
        self.tree = tree
        self.clock = clock
        enter(tree.records.root)
    }

    deinit { tree.records.scan = ScanCursor() }

    /// Appends the first line.
    func begin(number: Int, epoch: String, to out: ByteBuffer) {
        SnapshotHeader(number: number, revision: tree.revision, epoch: epoch).append(to: out)
    }

    /// Appends the next line, and after the last model the line that ends all.
    ///
    /// - Parameter isEnough: asked every few properties, and every few kilobytes of them.
    func write(to out: ByteBuffer, until isEnough: () -> Bool) {
        guard !isDone else { return }
        let start = out.count
        var slice = Slice(mark: start)
        CheckedLine.begin(out)
        if tree.records.scan.model != .noRecord {
            writeModels(to: out, &slice, until: isEnough)
        } else {
            writeBindings(to: out, &slice, until: isEnough)
        }
        CheckedLine.end(out, from: start)
        guard tree.records.scan.model == .noRecord, nextBinding > tree.dependents.bindings.last else { return }
        isDone = true
        tree.appendSnapshotEnd([], to: out)
    }

    /// What one line has come to.
    private struct Slice {
        var isTemporary: [PropertyID] = []
        private var steps = 0
        private var mark: Int

        init(mark: Int) { self.mark = mark }

        /// Counts a step, and says whether it is time to look at the clock.
        @inline(__always)
        mutating func isDue(_ out: ByteBuffer) -> Bool {
            steps &+= 1
            guard steps >= 32 || out.count &- mark > 8 << 10 else { return false }
            (steps, mark) = (0, out.count)
            return true
        }
    }

    private func writeModels(to out: ByteBuffer, _ slice: inout Slice, until isEnough: () -> Bool) {
        out.append("\"m\":[")
        var isFirst = true
        while tree.records.scan.model != .noRecord {
            if tree.records.models[tree.records.scan.model].instance == tree.records.scan.instance,
                !tree.records.models[tree.records.scan.model].isReleased
            {
                if !isFirst { out.append(0x2C) }
                isFirst = false
                writeModel(to: out, &slice, until: isEnough)
                if tree.records.scan.next != .noRecord { break }
            }
            enter(tree.records.scan.model.advanced(by: 1))
            if slice.isDue(out), isEnough() { break }
        }
        out.append(0x5D)
        for (index, id) in slice.isTemporary.enumerated() {
            out.append(index == 0 ? ",\"o\":[" : ",")
            tree.appendStackEntry(id, clock, to: out)
        }
        if !slice.isTemporary.isEmpty { out.append(0x5D) }
    }

    /// Appends what is left of the model, and stands behind what it has appended.
    private func writeModel(to out: ByteBuffer, _ slice: inout Slice, until isEnough: () -> Bool) {
        let model = tree.records.scan.model
        tree.appendModelHead(model, to: out)
        out.append(0x2C)
        out.append(decimal: tree.records.models[model].removalRevision)
        var id = tree.records.scan.next
        while id != .noRecord {
            out.append(0x2C)
            tree.appendEntry(id, to: out)
            if tree.records.properties[id].flags.contains(.isTemporary) { slice.isTemporary.append(id) }
            id = tree.records.properties[id].next
            if slice.isDue(out), isEnough() { break }
        }
        tree.records.scan.next = id
        out.append(0x5D)
    }

    /// Stands before the next model from there on.
    private func enter(_ first: ModelID) {
        var model = first
        // There may be a million free records in a row: they are passed by a few at a time.
        let last = min(ModelID(index: tree.records.models.allocatedCount), first.advanced(by: 256))
        while model < last {
            // Free records have no instance; nor has the set of roots.
            if model == tree.records.root || tree.records.models[model].instance != 0,
                !tree.records.models[model].isReleased
            {
                tree.records.scan = ScanCursor(
                    model: model,
                    instance: tree.records.models[model].instance,
                    next: tree.records.models[model].first
                )
                return
            }
            model = model.advanced(by: 1)
        }
        // No model has that instance.
        let isAtEnd = last == ModelID(index: tree.records.models.allocatedCount)
        tree.records.scan =
            isAtEnd ? ScanCursor() : ScanCursor(model: last.advanced(by: -1), instance: .max, next: .noRecord)
    }

    /// Those that are made from here on have numbers that are still to come, and are in the journal as well.
    private func writeBindings(to out: ByteBuffer, _ slice: inout Slice, until isEnough: () -> Bool) {
        var numbers: [Int32] = []
        while nextBinding <= tree.dependents.bindings.last, numbers.count < 100 {
            if tree.dependents.bindings.byNumber[nextBinding] != nil { numbers.append(nextBinding) }
            nextBinding += 1
            if slice.isDue(out), isEnough() { break }
        }
        out.append("\"m\":[]")
        tree.appendBindings(numbers, to: out)
    }
}
