// SPDX-License-Identifier: MIT
// A snapshot's first and last line, and a reader for all of its lines. Independent of files and slices.

/// A snapshot's first line.
struct SnapshotHeader {
    /// The version that this daemon writes, of snapshots and journals. It reads version 1 too, whose lines are not
    /// linked: see ``CheckedLine``.
    static let version: Int64 = 2

    var version = SnapshotHeader.version
    /// The journal that follows it; 0 for a dump, which has none.
    var number = 0
    /// The revision at which it began.
    var revision: UInt64 = 0
    /// The history that the revision counts.
    var epoch = ""
    /// The path of a dump; nil for all roots. The last component is then the name of the dump's only root.
    var path: String?
    /// The checksum of the first line of the journal that follows; nil in a dump and in version 1.
    var sum: UInt32?

    func append(to out: ByteBuffer) {
        CheckedLine.beginHead(out)
        out.append("\"snapshot\":")
        out.append(decimal: SnapshotHeader.version)
        out.append(",\"number\":")
        out.append(decimal: Int64(number))
        out.append(",\"revision\":")
        out.append(decimal: revision)
        out.append(",\"epoch\":")
        out.appendJSONString(utf8: epoch)
        if let path {
            out.append(",\"path\":")
            out.appendJSONString(utf8: path)
        }
        if let sum {
            out.append(",\"sum\":")
            out.append(decimal: UInt64(sum))
        }
        CheckedLine.end(out)
    }

    /// Closes the line that ``TreeReader/beginSnapshotEnd(_:to:)`` began.
    ///
    /// - Parameter lines: how many lines there are, this one included.
    static func endSnapshot(lines: Int, to out: ByteBuffer) {
        out.append(",\"lines\":")
        out.append(decimal: Int64(lines))
        CheckedLine.end(out)
    }

    init(
        number: Int = 0,
        revision: UInt64 = 0,
        epoch: String = "",
        path: String? = nil,
        sum: UInt32? = nil
    ) {
        self.number = number
        self.revision = revision
        self.epoch = epoch
        self.path = path
        self.sum = sum
    }

    init(_ line: JSONView) throws(StateFault) {
        let members = LineMembers(line)
        guard let version = members["snapshot"] else {
            let what = members["journal"] == nil ? " of ours" : ", but a journal"
            throw StateFault("is not a snapshot\(what)", isForeign: true)
        }
        self.version = try SnapshotHeader.checked(version)
        number = members["number"] == nil ? 0 : Int(try StateLoader.revision(members["number"]))
        revision = try StateLoader.revision(members["revision"])
        epoch = members["epoch"]?.decodedString() ?? ""
        path = members["path"]?.decodedString()
        sum = members["sum"]?.int64().flatMap(UInt32.init(exactly:))
    }

    /// Checks the version of a snapshot or journal.
    static func checked(_ json: JSONView) throws(StateFault) -> Int64 {
        guard let version = json.int64(), (1...SnapshotHeader.version).contains(version) else {
            throw StateFault(
                "is of version \(json.view.string), and this is version \(SnapshotHeader.version)",
                isForeign: true
            )
        }
        return version
    }

    /// Whether the lines behind the first one are linked.
    var isLinked: Bool { version > 1 }
}

extension TreeReader {
    /// Appends a snapshot's last line, with these bindings, up to its number of lines.
    func beginSnapshotEnd(_ bindings: [Binding], to out: ByteBuffer) {
        CheckedLine.begin(out)
        out.append("\"end\":")
        out.append(decimal: revision)
        out.append(",\"instance\":")
        out.append(decimal: lastInstance)
        out.append(",\"binding\":")
        out.append(decimal: Int64(lastBinding))
        append(bindings, to: out)
    }
}

/// Consumes a snapshot's lines, one after another.
///
/// - Errors: after an error, the reader is unusable.
struct SnapshotReader {
    let loader: StateLoader
    private(set) var header: SnapshotHeader?
    /// The revision at which it ended; nil until the last line has come.
    private(set) var end: UInt64?
    private var count: Int64 = 0

    init(_ loader: StateLoader) { self.loader = loader }

    /// Reads a whole snapshot.
    ///
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
            guard let types = LineMembers(line)["d"] else { return }
            // Models have numbers of these types.
            guard count == 2 else { throw StateFault("the declared types follow the first line") }
            return loader.builder.restoreTypes(try TypeDeclarations(types))
        }
        guard body.count > 5, body.prefix(5) == "\"end\"" else {
            return try loader.load(slice: line)
        }
        let members = LineMembers(line)
        guard let end = members["end"] else { throw StateFault("its end is without a revision") }
        if header?.isLinked == true, members["lines"]?.int64() != count {
            throw StateFault(
                "its end counts \(members["lines"]?.int64() ?? 0) lines, and this is line \(count)"
            )
        }
        self.end = try StateLoader.revision(end)
        loader.builder.continueNumbers(
            after: try StateLoader.revision(members["instance"]),
            binding: try StateLoader.bindingNumber(members["binding"]?.int64() ?? 0)
        )
        if let bindings = members["b"] {
            for binding in bindings.elements { try loader.load(binding: binding) }
        }
    }
}

/// The members of an object by their names.
struct LineMembers {
    private let object: JSONView

    init(_ object: JSONView) { self.object = object }

    subscript(name: StaticString) -> JSONView? {
        for (known, value) in object.members where known.contents == name { return value }
        return nil
    }
}
