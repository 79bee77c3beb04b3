// SPDX-License-Identifier: MIT
// The members of a change event that a copy of the tree needs, in one pass. Independent of the copy.

/// A change as a program reads it that keeps a copy of the tree.
package struct ReadChange: Sendable {
    package let names: [String]
    /// The new value; nil for null.
    package let new: RawJSON?
    package let revision: Int64
    package let isTruncated: Bool
    /// The process that made the change, if the event names it, and no binding made the change for it.
    package let author: Int64?
}

extension ChangeEvent {
    /// - Throws: ``ClientError/malformed(_:)`` for an event without a path.
    package func read() throws(ClientError) -> ReadChange {
        try ByteView.with(params.bytes) { (bytes) throws(ClientError) in
            var path: JSONView?
            var new: JSONView?
            var origin: JSONView?
            var revision: Int64 = 0
            var isTruncated = false
            for (name, value) in JSONView(validated: bytes).members {
                switch name.contents {
                case "path": path = value
                case "new": new = value
                case "revision": revision = value.int64() ?? 0
                case "origin": origin = value
                case "truncated": isTruncated = true
                default: break
                }
            }
            guard let names = path?.pathNames, !names.isEmpty
            else { throw .malformed("an event without a path") }
            return ReadChange(
                names: names,
                new: new.flatMap { $0.kind == .null ? nil : RawJSON(copying: $0) },
                revision: revision,
                isTruncated: isTruncated,
                author: origin?.author
            )
        }
    }
}

private extension JSONView {
    /// The names of a path in the form of events; nil for other values.
    var pathNames: [String]? {
        guard kind == .string else { return nil }
        let text = contents
        guard !hasEscapes, text.firstIndex(of: 0x5C, from: 0) == nil
        else { return (try? DottedKeyPath.literalNames(of: decodedString(), maxDepth: 100_000)) ?? nil }
        var names: [String] = []
        names.reserveCapacity(4)
        var start = 0
        while start < text.count {
            let end = text.firstIndex(of: 0x2E, from: start) ?? text.count
            if start < end { names.append(text.slice(start..<end).string) }
            start = end + 1
        }
        return names
    }

    /// The process of an origin without a binding.
    var author: Int64? { self["binding"] == nil ? self["pid"]?.int64() : nil }
}
