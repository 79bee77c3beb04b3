// SPDX-License-Identifier: MIT
// A snapshot's first and last line. Independent of files and slices.

struct SnapshotHeader {
    /// The version that this daemon writes, of snapshots and journals. It reads version 1 too: see ``CheckedLine``.
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
        out.append("\"snapshot\":", SnapshotHeader.version)
        out.append(",\"number\":", number)
        out.append(",\"revision\":", revision)
        out.append(",\"epoch\":", epoch)
        if let path { out.append(",\"path\":", path) }
        if let sum { out.append(",\"sum\":", sum) }
        CheckedLine.end(out)
    }

    var isLinked: Bool { version > 1 }
}

extension SnapshotHeader {
    init(_ line: JSONView) throws(StateFault) {
        guard let version = line["snapshot"] else {
            let what = line["journal"] == nil ? " of ours" : ", but a journal"
            throw StateFault("is not a snapshot\(what)", isForeign: true)
        }
        self.init(version: try SnapshotHeader.checked(version))
        number = line["number"] == nil ? 0 : Int(try LineMembers.revision(line["number"]))
        revision = try LineMembers.revision(line["revision"])
        epoch = line["epoch"]?.decodedString() ?? ""
        path = line["path"]?.decodedString()
        sum = line["sum"]?.int64().flatMap(UInt32.init(exactly:))
    }

    static func checked(_ json: JSONView) throws(StateFault) -> Int64 {
        guard let version = json.int64(), (1...SnapshotHeader.version).contains(version) else {
            let why = "is of version \(json.view.string), and this is version \(SnapshotHeader.version)"
            throw StateFault(why, isForeign: true)
        }
        return version
    }
}

extension TreeReader {
    /// Appends a snapshot's last line, with these bindings, up to its number of lines.
    func beginSnapshotEnd(_ bindings: [Binding], to out: ByteBuffer) {
        CheckedLine.begin(out)
        out.append("\"end\":", revision)
        out.append(",\"instance\":", lastInstance)
        out.append(",\"binding\":", lastBinding)
        append(bindings, to: out)
    }
}
