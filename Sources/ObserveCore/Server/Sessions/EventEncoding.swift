// SPDX-License-Identifier: MIT
// Change events as JSON: everything behind the subscription's number. Independent of subscribers.

extension TreeReader {
    struct EventExtras {
        var withOld = false
        /// The old value, rendered while it was known.
        var renderedOld: ByteBuffer?
        var origin: ValueOrigin?
        var coalesced = 1
        /// It is the event before the change, which has no new value.
        var isPrior = false
    }

    /// Appends an event from behind the subscription's number to its line feed: one text for all its subscribers.
    func encode(_ change: borrowing PathChange, revision: UInt64, _ extras: EventExtras, to out: ByteBuffer) {
        appendPath(path(of: change.node), change.suffix, change.reason, to: out)
        if !appendValues(change, extras, to: out) { out.append(",\"truncated\":true") }
        appendKind(change, to: out)
        if extras.isPrior { out.append(",\"prior\":true") }
        append(",\"changedAt\":\"", pathOf: change.changedAt, in: change.node, to: out)
        if !extras.isPrior { append(",\"nilAt\":\"", pathOf: change.nilAt, in: change.node, to: out) }
        out.append(",\"origin\":", extras.origin)
        out.appendEventEnd(revision: revision, coalesced: extras.coalesced, hasMore: extras.isPrior)
    }

    private func append(_ member: StaticString, _ path: ByteView, to out: ByteBuffer) {
        out.append(member)
        out.append(path)
        out.append(0x22)
    }

    /// Appends the event of the most frequent change: a path holds another scalar.
    ///
    /// - Parameter isLine: whether to append the whole line, as it is for subscription 1.
    /// - Returns: false, with nothing appended, for any other change.
    @inline(__always)
    func encode(
        scalars change: borrowing PathChange,
        _ revision: borrowing DecimalText,
        isLine: Bool,
        withOld: Bool,
        to out: ByteBuffer
    ) -> Bool {
        guard change.edit == nil, isShort(change.new), !withOld || isShort(change.old) else { return false }
        let isPlain = change.reason == .valueChanged && change.nilAt == .noRecord
        if !isPlain, change.reason != .pathChanged { return false }
        let path = path(of: change.node)
        // The suffix outlives this call, so it needs no reference count.
        let suffix = unsafe change.suffix.map { unsafe Unmanaged.passUnretained($0) }
        let below = unsafe suffix?._withUnsafeGuaranteedRef { $0.view } ?? ByteView("")
        tree.withText(of: change.new) { value, quote in
            out.append(atMost: 3 &* path.count &+ below.count &+ value.count &+ 240) { writer in
                if isLine { writer.put(ByteBuffer.firstChangeHead) }
                writer.put(",\"path\":\"")
                writer.put(path)
                writer.put(below)
                if isPlain {
                    writer.put("\",\"reason\":\"valueChanged\",\"new\":")
                } else {
                    writer.put("\",\"reason\":\"pathChanged\",\"new\":")
                }
                writer.put(quote)
                writer.put(value)
                writer.put(quote)
                if !withOld { putEnd(of: change, path, isPlain: isPlain, revision, &writer) }
            }
        }
        if withOld {
            tree.withText(of: change.old) { value, quote in
                out.append(atMost: 2 &* path.count &+ value.count &+ 120) { writer in
                    writer.put(",\"old\":")
                    writer.put(quote)
                    writer.put(value)
                    writer.put(quote)
                    putEnd(of: change, path, isPlain: isPlain, revision, &writer)
                }
            }
        }
        return true
    }

    @inline(__always)
    private func putEnd(
        of change: borrowing PathChange,
        _ path: ByteView,
        isPlain: Bool,
        _ revision: borrowing DecimalText,
        _ writer: inout ByteWriter
    ) {
        if !isPlain {
            put(",\"changedAt\":\"", pathOf: change.changedAt, in: path, &writer)
            put(",\"nilAt\":\"", pathOf: change.nilAt, in: path, &writer)
        }
        writer.put(",\"revision\":")
        writer.put(revision)
        writer.put("}}\n")
    }

    @inline(__always)
    private func put(
        _ member: StaticString,
        pathOf ancestor: NodeID,
        in path: ByteView,
        _ writer: inout ByteWriter
    ) {
        guard ancestor != .noRecord else { return }
        writer.put(member)
        writer.put(path.prefix(pathLength(of: ancestor)))
        writer.put("\"")
    }

    /// Whether the value is a scalar whose text surely is within the limits.
    @inline(__always)
    private func isShort(_ value: borrowing StoredValue) -> Bool {
        if value.isContainer { return false }
        var count = 32
        value.withText { count = $0.count &+ 2 }
        return mayRender(count)
    }

    private func appendPath(
        _ path: ByteView,
        _ suffix: ByteBuffer?,
        _ reason: ChangeReason,
        to out: ByteBuffer
    ) {
        out.append(",\"path\":\"")
        out.append(path)
        if let suffix { out.append(suffix.view) }
        out.append("\",\"reason\":\"")
        out.append(reason.name)
        out.append(0x22)
    }

    private func appendKind(_ change: borrowing PathChange, to out: ByteBuffer) {
        guard let edit = change.edit else { return }
        out.append(",\"kind\":\"")
        out.append(edit.kind.name)
        out.append("\",\"indexes\":[", edit.index, "]")
    }

    /// - Returns: false, with nothing appended, if a rendering exceeds the limits.
    private func appendValues(_ change: borrowing PathChange, _ extras: EventExtras, to out: ByteBuffer)
        -> Bool
    {
        let start = out.count
        var fits = true
        if !extras.isPrior {
            out.append(",\"new\":")
            fits = appendNew(change, to: out)
        }
        if fits, extras.withOld, change.reason != .initial {
            out.append(",\"old\":")
            fits = appendOld(change, extras.renderedOld, to: out)
        }
        if !fits { out.truncate(to: start) }
        return fits
    }

    private func appendNew(_ change: borrowing PathChange, to out: ByteBuffer) -> Bool {
        guard let edit = change.edit, case .array(let array) = change.new else {
            return tree.render(change.new, to: out)
        }
        let isThere = edit.kind != .removal
        return renderElement(isThere ? array.element(edit.index) : .absent, isThere, to: out)
    }

    private func appendOld(_ change: borrowing PathChange, _ rendered: ByteBuffer?, to out: ByteBuffer)
        -> Bool
    {
        if let rendered {
            out.append(rendered.view)
            return !rendered.isEmpty
        }
        guard let edit = change.edit else { return tree.render(change.old, to: out) }
        return renderElement(edit.old, edit.kind != .insertion, to: out)
    }

    /// Appends an array with the edit's element, or an empty one on the side without an element.
    private func renderElement(_ element: StoredValue, _ isThere: Bool, to out: ByteBuffer) -> Bool {
        out.append(0x5B)
        guard !isThere || tree.render(element, to: out) else { return false }
        out.append(0x5D)
        return true
    }

    /// Appends a member that names an ancestor of `node`, whose path begins with the ancestor's.
    private func append(_ member: StaticString, pathOf ancestor: NodeID, in node: NodeID, to out: ByteBuffer)
    {
        guard ancestor != .noRecord else { return }
        append(member, path(of: node).prefix(pathLength(of: ancestor)), to: out)
    }
}

extension ByteBuffer {
    @inline(__always)
    func appendEventEnd(revision: UInt64, coalesced: Int, hasMore: Bool) {
        append(",\"revision\":", revision)
        if coalesced > 1 { append(",\"coalesced\":", coalesced) }
        append(hasMore ? ",\"more\":true}}\n" : "}}\n")
    }
}
