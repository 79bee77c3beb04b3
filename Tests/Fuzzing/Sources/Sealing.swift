// SPDX-License-Identifier: MIT
// Makes files of the journal's form from their lines without checksums. Only this file depends on the form.

@testable import ObserveCore

enum Sealing {
    /// Makes a file of lines. A line has an object's members without the checksum: `"r":1,"e":[]`.
    ///
    /// A line that begins with `~` is not sealed: the file gets the rest of it as it is. A last line without a line
    /// feed is cut off in the file too. Files of version 1 have no running checksum.
    static func seal(_ text: [UInt8]) -> [UInt8] {
        let out = ByteBuffer()
        let head = text.prefix { $0 != 0x0A }
        let isLinked =
            head.starts(with: Array("\"journal\":2,".utf8))
            || head.starts(with: Array("\"snapshot\":2,".utf8))
        var chain = LineChain()
        var isCutOff = false
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: true) {
            if line.first == UInt8(ascii: "~") {
                out.append(contentsOf: Array(line.dropFirst()))
                out.append(0x0A)
            } else {
                let start = out.count
                if isLinked, chain.isLinked { CheckedLine.begin(out) } else { CheckedLine.beginHead(out) }
                out.append(contentsOf: Array(line))
                CheckedLine.end(out)
                chain.seal(out, from: start)
            }
            isCutOff = line.endIndex == text.endIndex
        }
        return isCutOff ? out.array.dropLast() : out.array
    }

    /// The lines of a file without their checksums: the reverse of ``seal(_:)``.
    static func unseal(_ file: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for line in file.split(separator: 0x0A) where line.first == UInt8(ascii: "{") {
            text += ByteView.with(Array(line)) { CheckedLine.body(of: $0).array }.dropLast() + [0x0A]
        }
        return text
    }

    /// The first line of the journal that continues a snapshot of this first line.
    static func journalHeader(after snapshot: [UInt8]) -> (name: String, line: [UInt8]) {
        let header = try? Value(json: [UInt8(ascii: "{")] + snapshot + [UInt8(ascii: "}")])
        let (number, revision) = (header?["number"]?.int ?? 1, header?["revision"]?.int ?? 0)
        let line =
            #""journal":1,"number":\#(number),"revision":\#(revision),"after":0,"#
            + #""start":{"epoch":"e","boot":"boot","durability":"interval"}"#
        return ("journal-\(number)", Array((line + "\n").utf8))
    }
}
