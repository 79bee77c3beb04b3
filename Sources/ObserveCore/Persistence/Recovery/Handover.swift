// SPDX-License-Identifier: MIT
// The state that one program hands over to the next one in the same process. Independent of descriptors.
//
//     {"crc":"…","handover":1,"epoch":"…","revision":40,"socket":[device,inode],"snapshot":900}
//
// A snapshot with so many bytes follows: see ``ReadView``. Without it, the next program reads its state from a folder.
// Version 0.2 and older also hand over a journal and past commits, which are ignored.
//
// After a broken disk, the header also has
//
//     "broken":[journal,length,wait],"configuration":120
//
// and the only part is the configuration in force: see ``Breakage``.

package struct Handover: Sendable {
    static let version: Int64 = 1

    package private(set) var epoch = ""
    package private(set) var revision: UInt64 = 0
    /// The socket's file, if this process made it.
    package private(set) var socket: FileIdentity?
    private var snapshot: [UInt8] = []
    /// Set if the former program's disk is broken.
    package private(set) var breakage: Breakage?
    /// The text of the configuration in force, after a breakage.
    package private(set) var configuration: [UInt8] = []

    package var hasTree: Bool { !snapshot.isEmpty }

    /// - Errors: the text is not a whole handover of this version.
    package init(_ text: [UInt8]) throws(StateError) {
        let name = "the handover"
        guard let end = text.firstIndex(of: 0x0A) else { throw .foreign(name, why: "has no line") }
        let line = Array(text[..<end])
        var sizes: [Int] = []
        try ByteView.with(line) { (line) throws(StateError) in
            guard CheckedLine.checksums(of: line) != nil
            else { throw .foreign(name, why: "is not one of ours") }
            let members = JSONView(view: line, kind: .object)
            guard members["handover"]?.int64() == Handover.version
            else { throw .foreign(name, why: "is not of version \(Handover.version)") }
            epoch = members["epoch"]?.decodedString() ?? ""
            revision = UInt64(clamping: members["revision"]?.int64() ?? 0)
            if var elements = members["socket"]?.elements, let device = elements.next()?.int64(),
                let inode = elements.next()?.int64()
            {
                socket = FileIdentity(device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode))
            }
            let broken = members["broken"].map { Array($0.elements) }?.compactMap { $0.int64() } ?? []
            if broken.count == 3, broken.allSatisfy({ $0 >= 0 }) {
                breakage = Breakage(
                    place: JournalPlace(number: Int(clamping: broken[0]), length: Int(clamping: broken[1])),
                    revision: revision,
                    wait: UInt64(clamping: broken[2])
                )
            }
            sizes = [members["snapshot"], members["journal"], members["history"], members["configuration"]]
                .map { Int(clamping: $0?.int64() ?? 0) }
        }
        var rest = text[(end + 1)...]
        guard sizes.allSatisfy({ $0 >= 0 && $0 <= rest.count }), sizes.reduce(0, +) == rest.count
        else { throw .foreign(name, why: "is cut off") }
        func part(_ size: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        snapshot = part(sizes[0])
        // Of version 0.2 and older: the journal and the past commits.
        _ = (part(sizes[1]), part(sizes[2]))
        configuration = part(sizes[3])
    }

    /// Restores the tree. Its history begins at ``revision``.
    func restore(_ tree: ModelTree, _ clock: WallClock) throws(StateError) {
        let name = "the handover"
        let loader = StateLoader(tree, clock: clock)
        let (_, end) = try SnapshotReader.read(snapshot, name, into: loader)
        do throws(StateFault) {
            try loader.finishPatching(revision: end)
            try loader.finish()
        } catch { throw .inconsistent(name, line: 1, why: error.sentence) }
    }

    /// The text of a tree's handover. No commit may be under way.
    /// - Parameter withTree: false if the next program reads the tree from a folder.
    package static func text(
        of tree: ModelTree,
        epoch: String,
        revision: UInt64,
        socket: FileIdentity?,
        withTree: Bool,
        clockOffset: Int64
    ) -> [UInt8] {
        let snapshot = ByteBuffer()
        if withTree {
            let clock = WallClock(offset: clockOffset)
            // Like a snapshot, it has the types. But no journal continues it, so nothing reads the number and the checksum.
            let view = ReadView(of: tree, .init(epoch: epoch, clock: clock), journal: (number: 1, sum: 0))
            while !view.isDone { view.write(to: snapshot, bytes: .max) }
        }
        return text(epoch, revision, socket, [(",\"snapshot\":", snapshot)])
    }

    /// The text of a handover after a breakage: the next program reads the tree from the folder.
    static func text(after breakage: Breakage, epoch: String, socket: FileIdentity?, configuration: [UInt8])
        -> [UInt8]
    {
        let part = ByteBuffer(capacity: configuration.count)
        part.append(contentsOf: configuration)
        return text(epoch, breakage.revision, socket, [(",\"configuration\":", part)], breakage)
    }

    private static func text(
        _ epoch: String,
        _ revision: UInt64,
        _ socket: FileIdentity?,
        _ parts: [(StaticString, ByteBuffer)],
        _ breakage: Breakage? = nil
    ) -> [UInt8] {
        let out = ByteBuffer()
        CheckedLine.beginHead(out)
        out.append("\"handover\":", version)
        out.append(",\"epoch\":", epoch)
        out.append(",\"revision\":", revision)
        if let socket {
            out.append(",\"socket\":[", Int64(bitPattern: socket.device))
            out.append(",", Int64(bitPattern: socket.inode), "]")
        }
        if let breakage {
            out.append(",\"broken\":[", breakage.place.number)
            out.append(",", breakage.place.length)
            out.append(",", breakage.wait, "]")
        }
        for (name, part) in parts {
            out.append(name)
            out.append(decimal: Int64(part.count))
        }
        CheckedLine.end(out)
        var chain = LineChain()
        chain.seal(out)
        for (_, part) in parts { out.append(part.view) }
        return out.array
    }
}
