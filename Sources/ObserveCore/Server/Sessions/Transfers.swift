// SPDX-License-Identifier: MIT
// The dump that a client reads, and the dump or value that it loads. Independent of their contents.

/// A load, of which the client has sent some parts.
final class Intake {
    enum Content {
        case dump(DumpReader)
        /// JSON for a path.
        case value(ParsedKeyPath, LoadedValue)
    }

    let content: Content
    /// The number of the next part.
    var next: Int64 = 0
    /// The last part has come.
    var isComplete = false

    init(_ content: Content) { self.content = content }

    /// The bytes of memory that the client makes it take. Arrays that the server builds after the last part are the tree's soon.
    var heldBytes: Int {
        switch content {
        case .dump(let reader): reader.heldBytes
        case .value(_, let value): value.text.heldBytes
        }
    }
}

/// A read view that a client reads, part by part.
final class Dump {
    /// After so many nanoseconds without a request for a part, the server may cancel a dump that uses much memory.
    static let patience: UInt64 = 10_000_000_000

    /// Nil until the dump is begun.
    var readView: ReadView?
    /// The number of the next part.
    var next: Int64 = 0
    /// When the client requested the last part.
    var lastRead: MonotonicTime

    init(at now: MonotonicTime) { lastRead = now }
}
