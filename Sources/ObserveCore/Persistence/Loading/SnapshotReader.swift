// SPDX-License-Identifier: MIT
// Reads all lines of a snapshot. Independent of files and slices.

/// - Errors: after an error, the reader is unusable.
struct SnapshotReader {
    let loader: StateLoader
    private(set) var header: SnapshotHeader?
    /// The revision at which it ended; nil until the last line has come.
    private(set) var end: UInt64?
    private var count: Int64 = 0

    init(_ loader: StateLoader) { self.loader = loader }

    /// - Parameter name: what an error calls it.
    static func read(_ bytes: [UInt8], _ name: String, into loader: StateLoader) throws(StateError)
        -> (header: SnapshotHeader, end: UInt64)
    {
        var reader = SnapshotReader(loader)
        return try ByteView.with(bytes) { (text) throws(StateError) in
            var lines = CheckedLines(text)
            reading: while true {
                switch lines.next() {
                case .line(let line):
                    do throws(StateFault) { try reader.consume(line) } catch {
                        throw error.isForeign
                            ? .foreign(name, why: error.sentence)
                            : .inconsistent(name, line: lines.count, why: error.sentence)
                    }
                    lines.chain.isLinked = reader.header?.isLinked == true
                case .torn where lines.count == 0: throw .foreign(name, why: "is not a snapshot of ours")
                case .torn(let offset, _), .broken(let offset):
                    throw .damaged(name, line: lines.count + 1, offset: offset)
                case .end: break reading
                }
            }
            if let header = reader.header, let end = reader.end { return (header, end) }
            throw lines.count == 0
                ? .foreign(name, why: "is empty")
                : .incomplete(name, line: lines.count + 1, offset: lines.offset)
        }
    }

    mutating func consume(_ line: JSONView) throws(StateFault) {
        guard end == nil else { throw StateFault("nothing can follow its end") }
        count += 1
        guard header != nil else {
            header = try SnapshotHeader(line)
            return
        }
        // Slices are long, so only the beginning is compared.
        let body = CheckedLine.body(of: line.view)
        if body.count > 3, body.prefix(3) == "\"d\"" {
            guard let types = line["d"] else { return }
            // Models have numbers of these types.
            guard count == 2 else { throw StateFault("the declared types follow the first line") }
            loader.builder.restoreTypes(try TypeDeclarations(types))
            if let limits = line["l"] { loader.builder.compute(under: try ComputingLimits(limits)) }
            return
        }
        guard body.count > 5, body.prefix(5) == "\"end\"" else { return try loader.load(slice: line) }
        guard let end = line["end"] else { throw StateFault("its end is without a revision") }
        if header?.isLinked == true, line["lines"]?.int64() != count {
            throw StateFault("its end counts \(line["lines"]?.int64() ?? 0) lines, and this is line \(count)")
        }
        self.end = try LineMembers.revision(end)
        let instance = try LineMembers.revision(line["instance"])
        let binding = try LineMembers.bindingNumber(line["binding"]?.int64() ?? 0)
        loader.builder.continueNumbers(after: instance, binding: binding)
        if let bindings = line["b"] { for binding in bindings.elements { try loader.load(binding: binding) } }
    }
}
