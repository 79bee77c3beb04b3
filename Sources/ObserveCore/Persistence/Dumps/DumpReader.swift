// SPDX-License-Identifier: MIT
// Reads a dump's text, piece by piece, into a tree of its own. Independent of the tree that loads it.

package struct DumpFault: Error, Equatable, CustomStringConvertible {
    package let description: String
    /// Whether the dump has more levels than this daemon takes.
    var isTooDeep = false
}

/// Reads a dump line by line. Checks a line's checksums first.
/// - Errors: a ``DumpFault`` that names the line. After an error, the reader is unusable.
/// - Cost: it copies the text once, and drops it as soon as its line is read.
package final class DumpReader {
    /// The dump's models. Their types are only names and accept any value; nothing is computed.
    let tree: ModelTree
    private var snapshot: SnapshotReader
    /// The beginning of the next line, and how much of it was searched for a line feed.
    private let pending = ByteBuffer()
    private var searched = 0
    private var lineCount = 0
    private var chain = LineChain()
    private var consumedBytes = 0
    private let maxDepth: Int

    /// - Parameter limits: those of rendering, and of how deep arrays may nest.
    package init(limits: TreeLimits = TreeLimits()) {
        tree = ModelTree(limits: limits)
        maxDepth = limits.maxDepth
        snapshot = SnapshotReader(StateLoader(tree, clock: WallClock(offset: 0), isForeign: true))
    }

    /// Nil for all roots.
    package var path: String? { snapshot.header?.path }

    var bindings: [StateLoader.KeptBinding] {
        snapshot.loader.bindings.sorted { $0.key < $1.key }.map(\.value)
    }

    /// About how many bytes of memory the tree and the beginning of the next line take. Bindings take no more than they
    /// did in the dump.
    var heldBytes: Int { pending.heldBytes + max(consumedBytes, tree.usedBytes) }

    package func consume(_ text: [UInt8]) throws(DumpFault) {
        try ByteView.with(text) { (view) throws(DumpFault) in try consume(view) }
    }

    func consume(_ text: ByteView) throws(DumpFault) {
        pending.append(text)
        consumedBytes += text.count
        while let end = pending.view.firstIndex(of: 0x0A, from: searched) {
            try consume(line: pending.view.prefix(end))
            pending.consume(end + 1)
            searched = 0
        }
        searched = pending.count
    }

    private func consume(line: ByteView) throws(DumpFault) {
        lineCount += 1
        guard chain.follow(line) else { throw fault(of: line) }
        let token: JSONView
        // A value is six levels deep in its line.
        do throws(JSONError) {
            token = try JSONScanner.validate(line, maxDepth: maxDepth + 6)
        } catch {
            let sentence = "line \(lineCount) of the dump is not JSON: \(error)"
            throw DumpFault(description: sentence, isTooDeep: error.reason == .tooDeep)
        }
        do throws(StateFault) { try snapshot.consume(token) } catch {
            let place = error.isForeign ? "the text" : "line \(lineCount) of the dump:"
            throw DumpFault(description: "\(place) \(error.sentence)")
        }
        chain.isLinked = snapshot.header?.isLinked == true
    }

    private func fault(of line: ByteView) -> DumpFault {
        if lineCount == 1 { return DumpFault(description: "line 1 is not the first line of a dump") }
        return DumpFault(
            description: CheckedLine.checksums(of: line) == nil
                ? "line \(lineCount) of the dump is damaged: it is not what its checksum was made of"
                : "line \(lineCount) of the dump does not follow line \(lineCount - 1): "
                    + "a line is missing, doubled or moved"
        )
    }

    package func finish() throws(DumpFault) {
        if lineCount == 0, pending.isEmpty { throw DumpFault(description: "the dump is empty") }
        if lineCount == 0 { throw DumpFault(description: "the text is not a dump") }
        guard let end = snapshot.end else {
            throw DumpFault(
                description: pending.isEmpty
                    ? "the dump is cut off after line \(lineCount): its last line says that it is whole"
                    : "the dump is cut off in line \(lineCount + 1)"
            )
        }
        guard pending.isEmpty
        else { throw DumpFault(description: "line \(lineCount + 1) of the dump: nothing can follow its end") }
        do throws(StateFault) { try snapshot.loader.builder.finishPatching(revision: end) } catch {
            throw DumpFault(description: "the dump contradicts itself: \(error.sentence)")
        }
    }

    /// Ends all temporary values: the tree that loads them would not end them.
    func endTemporaryValues() { snapshot.loader.builder.endTemporaryValues() }

    /// The dump's roots; a dump of a path has one.
    var roots: [(name: String, value: StoredValue, isWeak: Bool)] {
        var roots: [(name: String, value: StoredValue, isWeak: Bool)] = []
        let reader = tree.reader
        reader.forEachProperty(of: reader.root) { id in
            guard case .value(let value, let isWeak) = reader.content(of: id) else { return }
            roots.append((reader.name(of: id).string, value.kept, isWeak))
        }
        return roots
    }

    /// The dump's value as JSON, as `get` renders it; nil beyond the limits. Valid after ``finish()``.
    package var json: [UInt8]? {
        let out = ByteBuffer()
        let value = path == nil ? .model(tree.reader.root) : roots.first?.value ?? .null
        return tree.render(value, to: out) ? out.array : nil
    }
}
