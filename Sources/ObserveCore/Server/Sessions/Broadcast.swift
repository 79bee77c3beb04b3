// SPDX-License-Identifier: MIT
// Event lines that several clients share. Independent of sessions and sockets.

/// The event lines of this turn for clients without options, each once. Also other texts that subscribers of one event share.
/// - Invariant: while ``rangeCount`` is not 0, sessions refer to bytes of ``lines``, which stay where they are.
struct Broadcast: ~Copyable {
    /// A longer line does not begin a range: for many clients that stop reading, it would be copied at once.
    static let longestLine = 4 << 10

    /// Lines as subscription 1 gets them.
    let lines = ByteBuffer(capacity: 4096)
    /// How many sessions have a range of ``lines``.
    var rangeCount = 0
    /// The event's texts for subscribers with `old`, with `origin`, and with both.
    private let richTails = [ByteBuffer(), ByteBuffer(), ByteBuffer()]
    /// The value before the change under way, for subscribers with `old` that have not seen it yet; nil until the first.
    var old: ByteBuffer?
    var revisionText = DecimalText()
    /// How many bytes of the event under way were copied for clients.
    var copiedBytes = 0

    func bytes(_ range: Range<Int>) -> ByteView { lines.view.slice(range) }

    // MARK: The event under way

    /// What has been made of its texts, each once for all subscribers with the same options.
    struct EventParts {
        /// Where ``lines`` has the line for subscribers without options, as most are. Empty until the first of them.
        var line = 0..<0
        /// One bit for each rich tail that has this event's text.
        var rich: UInt8 = 0
    }

    @inline(__always) mutating func makeLine(
        of change: borrowing PathChange,
        in tree: ModelTree,
        at revision: UInt64,
        _ parts: inout EventParts
    ) {
        revisionText.show(revision)
        // Without a reference count.
        unsafe Unmanaged.passUnretained(lines)._withUnsafeGuaranteedRef { lines in
            let start = lines.count
            if !tree.reader.encode(scalars: change, revisionText, isLine: true, withOld: false, to: lines) {
                lines.appendChangeHead(subscription: 1)
                tree.reader.encode(change, revision: revision, .init(), to: lines)
            }
            parts.line = start..<lines.count
        }
    }

    /// The event's text behind the subscription's number, for subscribers with `old`, with `origin`, or with both.
    mutating func tail(
        of change: borrowing PathChange,
        in tree: ModelTree,
        at revision: UInt64,
        _ options: ObservingOptions,
        origin: @autoclosure () -> ValueOrigin?,
        _ parts: inout EventParts
    ) -> ByteView {
        let (withOld, withOrigin) = (options.contains(.old), options.contains(.origin))
        let index = (withOld ? 1 : 0) + (withOrigin ? 2 : 0) - 1
        let text = richTails[index]
        if parts.rich & 1 << index != 0 { return text.view }
        parts.rich |= 1 << index
        text.removeAll()
        if !withOrigin {
            revisionText.show(revision)
            if tree.reader.encode(scalars: change, revisionText, isLine: false, withOld: true, to: text) {
                return text.view
            }
        }
        let extras = TreeReader.EventExtras(withOld: withOld, origin: withOrigin ? origin() : nil)
        tree.reader.encode(change, revision: revision, extras, to: text)
        return text.view
    }
}
