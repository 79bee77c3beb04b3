// SPDX-License-Identifier: MIT
// A snapshot's first and last line, and a reader for all of its lines. Independent of files and slices.

/// A snapshot's first line.
struct SnapshotHeader {
    static let version: Int64 = 1

    /// The journal that follows it; 0 for a dump, which has none.
    var number = 0
    /// The revision at which it began.
    var revision: UInt64 = 0
    /// The history that the revision counts.
    var epoch = ""
    /// The path of a dump; nil for all roots. The last component is then the name of the dump's only root.
    var path: String?

    func append(to out: ByteBuffer) {
        let start = out.count
        CheckedLine.begin(out)
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
        CheckedLine.end(out, from: start)
    }

    init(number: Int = 0, revision: UInt64 = 0, epoch: String = "", path: String? = nil) {
        self.number = number
        self.revision = revision
        self.epoch = epoch
        self.path = path
    }

    init(_ line: JSONView) throws(StateFault) {
        let members = LineMembers(line)
        guard let version = members["snapshot"]?.int64() else {
            let what = members["journal"] == nil ? " of ours" : ", but a journal"
            throw StateFault("is not a snapshot\(what)", isForeign: true)
        }
        guard version == SnapshotHeader.version else {
            throw StateFault(
                "is of version \(version), and this is version \(SnapshotHeader.version)",
                isForeign: true
            )
        }
        number = Int(clamping: members["number"]?.int64() ?? 0)
        revision = try StateLoader.revision(members["revision"])
        epoch = members["epoch"]?.decodedString() ?? ""
        path = members["path"]?.decodedString()
    }
}

extension TreeReader {
    /// Appends a snapshot's last line, with these bindings.
    func appendSnapshotEnd(_ bindings: [Binding], to out: ByteBuffer) {
        let start = out.count
        CheckedLine.begin(out)
        out.append("\"end\":")
        out.append(decimal: revision)
        out.append(",\"instance\":")
        out.append(decimal: lastInstance)
        out.append(",\"binding\":")
        out.append(decimal: Int64(lastBinding))
        append(bindings, to: out)
        CheckedLine.end(out, from: start)
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

    init(_ loader: StateLoader) { self.loader = loader }

    mutating func consume(_ line: JSONView) throws(StateFault) {
        guard end == nil else { throw StateFault("nothing can follow its end") }
        guard header != nil else {
            header = try SnapshotHeader(line)
            return
        }
        // Slices are long, so only the beginning is compared.
        let body = line.view.dropFirst(min(CheckedLine.headCount, line.view.count))
        if body.count > 3, body.prefix(3) == "\"d\"" {
            guard let types = LineMembers(line)["d"] else { return }
            return loader.builder.restoreTypes(try TypeDeclarations(types))
        }
        guard body.count > 5, body.prefix(5) == "\"end\"" else {
            return try loader.load(slice: line)
        }
        let members = LineMembers(line)
        guard let end = members["end"] else { throw StateFault("its end is without a revision") }
        self.end = try StateLoader.revision(end)
        loader.builder.continueNumbers(
            after: try StateLoader.revision(members["instance"]),
            binding: Int32(clamping: members["binding"]?.int64() ?? 0)
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
