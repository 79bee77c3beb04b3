// SPDX-License-Identifier: MIT
// A whole tree as lines, slice by slice while it goes on changing. Knows no files and no clock.
//
//     {"crc":"…","snapshot":1,"number":2,"revision":40,"epoch":"…"}      it began with journal 2, at that revision
//     {"crc":"…","m":[[instance,type,removal,"name",value,revision,…],…],"o":[…]}
//     {"crc":"…","end":44,"instance":17,"binding":3,"b":[…]}              it ended at that revision
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

    init(_ tree: ModelTree, clock: WallClock) {
        self.tree = tree
        self.clock = clock
        enter(tree.rootModel)
    }

    deinit { tree.scan = ScanCursor() }

    /// Appends the first line.
    func begin(number: Int, epoch: String, to out: ByteBuffer) {
        SnapshotHeader(number: number, revision: tree.revision, epoch: epoch).append(to: out)
    }

    /// Appends the next line, and after the last model the line that ends all.
    ///
    /// - Parameter isEnough: asked every few properties.
    func write(to out: ByteBuffer, until isEnough: () -> Bool) {
        guard !isDone else { return }
        let start = out.count
        CheckedLine.begin(out)
        out.append("\"m\":[")
        var overlaid: [PropertyID] = []
        var isFirst = true
        var steps = 0
        while tree.scan.model != noRecord {
            if tree.models[tree.scan.model].instance == tree.scan.instance,
                !tree.models[tree.scan.model].isDying
            {
                if !isFirst { out.append(0x2C) }
                isFirst = false
                writeModel(to: out, &overlaid, &steps, until: isEnough)
                if tree.scan.next != noRecord { break }
            }
            enter(tree.scan.model + 1)
            steps += 1
            if steps & 31 == 0, isEnough() { break }
        }
        out.append(0x5D)
        for (index, id) in overlaid.enumerated() {
            out.append(index == 0 ? ",\"o\":[" : ",")
            tree.appendStackEntry(id, clock, to: out)
        }
        if !overlaid.isEmpty { out.append(0x5D) }
        CheckedLine.end(out, from: start)
        guard tree.scan.model == noRecord else { return }
        isDone = true
        tree.appendSnapshotEnd(tree.bindings.keys.sorted(), to: out)
    }

    /// Appends what is left of the model, and stands behind what it has appended.
    private func writeModel(
        to out: ByteBuffer,
        _ overlaid: inout [PropertyID],
        _ steps: inout Int,
        until isEnough: () -> Bool
    ) {
        let model = tree.scan.model
        tree.appendModelHead(model, to: out)
        out.append(0x2C)
        out.append(decimal: tree.models[model].removalRevision)
        var id = tree.scan.next
        while id != noRecord {
            out.append(0x2C)
            tree.appendEntry(id, to: out)
            if tree.properties[id].flags.contains(.overlaid) { overlaid.append(id) }
            id = tree.properties[id].next
            steps += 1
            if steps & 31 == 0, isEnough() { break }
        }
        tree.scan.next = id
        out.append(0x5D)
    }

    private func enter(_ first: ModelID) {
        var model = first
        while model < ModelID(tree.models.allocatedCount) {
            // Free records have no instance; nor has the set of roots.
            if model == tree.rootModel || tree.models[model].instance != 0, !tree.models[model].isDying {
                tree.scan = ScanCursor(
                    model: model,
                    instance: tree.models[model].instance,
                    next: tree.models[model].first
                )
                return
            }
            model += 1
        }
        tree.scan = ScanCursor()
    }
}
