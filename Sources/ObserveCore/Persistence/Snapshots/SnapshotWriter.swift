// SPDX-License-Identifier: MIT
// A whole tree as lines, slice by slice while the tree changes. Independent of files and of the time.
//
//     {"crc":"…","snapshot":2,"number":2,"revision":40,"epoch":"…","sum":…}
//                                                                         it began with journal 2, at that revision;
//                                                                         the sum is that of the journal's first line
//     {"crc":"…","d":{…}}                                                the declared types: see TypeLines.swift
//     {"crc":"…","m":[[instance,type,removal,"name",value,revision,…],…],"o":[…],"b":[…]}
//     {"crc":"…","end":44,"instance":17,"binding":3,"lines":4}            it ended at that revision
//
// A slice has each property with its value at that moment, and with the commit that assigned it. Together with the
// commits between the two revisions, the slices are one state: see ``StateLoader``.

/// Writes a tree slice by slice. At most one at a time for a tree.
///
/// - Cost: the caller bounds each slice; nothing is copied in advance.
final class SnapshotWriter {
    private let tree: TreeReader
    private let models: ModelCursor
    private let clock: WallClock
    private(set) var isDone = false
    /// The bindings that are still to be written, the next one last; nil before the last model.
    private var bindings: [Int32]?
    private var chain = LineChain()

    init(_ tree: TreeReader, clock: WallClock) {
        self.tree = tree
        self.clock = clock
        models = tree.makeCursor()
    }

    /// Appends the first lines.
    ///
    /// - Parameter sum: the checksum of the journal's first line.
    func begin(number: Int, sum: UInt32, epoch: String, to out: ByteBuffer) {
        let start = out.count
        SnapshotHeader(number: number, revision: tree.revision, epoch: epoch, sum: sum).append(to: out)
        tree.appendTypes(to: out)
        chain.seal(out, from: start)
    }

    /// Appends the next line, and after the last slice the line that ends the snapshot.
    ///
    /// - Parameter isEnough: called every few properties, and every few kilobytes of them.
    func write(to out: ByteBuffer, until isEnough: () -> Bool) {
        guard !isDone else { return }
        let start = out.count
        var slice = Slice(mark: start)
        CheckedLine.begin(out)
        if !models.isAtEnd {
            writeModels(to: out, &slice, until: isEnough)
        } else {
            writeBindings(to: out, &slice, until: isEnough)
        }
        CheckedLine.end(out)
        if models.isAtEnd {
            bindings = bindings ?? tree.bindingNumbers.reversed()
        }
        if bindings?.isEmpty == true {
            isDone = true
            tree.beginSnapshotEnd([], to: out)
            SnapshotHeader.endSnapshot(lines: chain.count + 2, to: out)
        }
        chain.seal(out, from: start)
    }

    /// The progress of one line.
    private struct Slice {
        var isTemporary: [PropertyID] = []
        private var steps = 0
        private var mark: Int

        init(mark: Int) { self.mark = mark }

        /// Counts a step.
        ///
        /// - Returns: whether to ask the caller if it is enough.
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
        while !models.isAtEnd {
            if let model = models.model {
                if !isFirst { out.append(0x2C) }
                isFirst = false
                write(model, to: out, &slice, until: isEnough)
                if !models.isAtModelEnd { break }
            }
            models.advance()
            if slice.isDue(out), isEnough() { break }
        }
        out.append(0x5D)
        for (index, id) in slice.isTemporary.enumerated() {
            out.append(index == 0 ? ",\"o\":[" : ",")
            tree.appendStackEntry(id, clock, to: out)
        }
        if !slice.isTemporary.isEmpty { out.append(0x5D) }
    }

    /// Appends the remaining properties of the model, or as many as the caller allows.
    private func write(
        _ model: ModelID,
        to out: ByteBuffer,
        _ slice: inout Slice,
        until isEnough: () -> Bool
    ) {
        tree.appendModelHead(model, to: out)
        out.append(0x2C)
        out.append(decimal: tree.removalRevision(of: model))
        while let id = models.nextProperty() {
            out.append(0x2C)
            tree.appendEntry(id, to: out)
            if tree.hasTemporaryValue(id) { slice.isTemporary.append(id) }
            if slice.isDue(out), isEnough() { break }
        }
        out.append(0x5D)
    }

    /// The journal has the bindings made meanwhile.
    private func writeBindings(to out: ByteBuffer, _ slice: inout Slice, until isEnough: () -> Bool) {
        var next: [Binding] = []
        while next.count < 100, let number = bindings?.popLast() {
            if let binding = tree.binding(number) { next.append(binding) }
            if slice.isDue(out), isEnough() { break }
        }
        out.append("\"m\":[]")
        tree.append(next, to: out)
    }
}
