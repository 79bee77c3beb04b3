// SPDX-License-Identifier: MIT
// Change events as JSON: everything behind the subscription's number. Knows nothing of who gets them.

extension ModelTree {
    /// What an event says beside its change.
    struct EventExtras {
        var withOld = false
        /// The old value as it was rendered when it could be.
        var renderedOld: ByteBuffer?
        /// The new value as it was rendered when the change was made.
        var renderedNew: ByteBuffer?
        var origin: ChangeOrigin?
        var coalesced = 1
    }

    /// Appends an event from behind the subscription's number to its line feed: one text for all its subscribers.
    ///
    /// - Parameter revision: nil if its end is to be appended later: see ``ByteBuffer/appendEventEnd(revision:coalesced:)``.
    func encode(_ change: borrowing PathChange, revision: UInt64?, _ extras: EventExtras, to out: ByteBuffer)
    {
        appendPath(change, to: out)
        if !appendValues(change, extras, to: out) { out.append(",\"truncated\":true") }
        appendKind(change, to: out)
        append(",\"changedAt\":\"", pathOf: change.changedAt, in: change.node, to: out)
        append(",\"nilAt\":\"", pathOf: change.nilAt, in: change.node, to: out)
        append(extras.origin, to: out)
        if let revision { out.appendEventEnd(revision: revision, coalesced: extras.coalesced) }
    }

    /// Appends the event of another text at a path as a line for subscription 1: what most are.
    ///
    /// - Returns: false, with nothing appended, for any other change.
    @inline(__always)
    func encodeFirst(
        plain change: borrowing PathChange,
        _ revision: borrowing DecimalText,
        to out: ByteBuffer
    ) -> Bool {
        guard change.reason == .valueChanged, change.edit == nil, change.suffix == nil,
            change.nilAt == noRecord
        else { return false }
        let path = nodes[change.node].path.view
        var fits = false
        change.new.withText { text in
            fits = text.count &+ 2 <= limits.maxRenderedBytes
            guard fits else { return }
            out.appendFirstChange(path: path, text: text, revision)
        }
        return fits
    }

    /// The same for the event before a change: it carries the old value, and no new one.
    func encodePrior(
        _ change: borrowing PathChange,
        revision: UInt64,
        _ origin: ChangeOrigin?,
        to out: ByteBuffer
    ) {
        appendPath(change, to: out)
        let start = out.count
        out.append(",\"old\":")
        if !appendOld(change, nil, to: out) {
            out.truncate(to: start)
            out.append(",\"truncated\":true")
        }
        appendKind(change, to: out)
        out.append(",\"prior\":true")
        append(",\"changedAt\":\"", pathOf: change.changedAt, in: change.node, to: out)
        append(origin, to: out)
        out.append(",\"revision\":")
        out.append(decimal: revision)
        out.append("}}\n")
    }

    private func append(_ origin: ChangeOrigin?, to out: ByteBuffer) {
        guard let origin else { return }
        out.append(",\"origin\":")
        origin.write(to: out)
    }

    private func appendPath(_ change: borrowing PathChange, to out: ByteBuffer) {
        out.append(",\"path\":\"")
        out.append(nodes[change.node].path.view)
        if let suffix = change.suffix { out.append(suffix.view) }
        out.append("\",\"reason\":\"")
        out.append(change.reason.name)
        out.append(0x22)
    }

    private func appendKind(_ change: borrowing PathChange, to out: ByteBuffer) {
        guard let edit = change.edit else { return }
        out.append(",\"kind\":\"")
        out.append(edit.kind.name)
        out.append("\",\"indexes\":[")
        out.append(decimal: UInt64(edit.index))
        out.append(0x5D)
    }

    /// False, with nothing appended, when a rendering exceeds the limits.
    private func appendValues(_ change: borrowing PathChange, _ extras: EventExtras, to out: ByteBuffer)
        -> Bool
    {
        let start = out.count
        out.append(",\"new\":")
        var fits = appendNew(change, extras.renderedNew, to: out)
        if fits, extras.withOld, change.reason != .initial {
            out.append(",\"old\":")
            fits = appendOld(change, extras.renderedOld, to: out)
        }
        if !fits { out.truncate(to: start) }
        return fits
    }

    private func appendNew(_ change: borrowing PathChange, _ rendered: ByteBuffer?, to out: ByteBuffer)
        -> Bool
    {
        if let rendered {
            out.append(rendered.view)
            return !rendered.isEmpty
        }
        guard let edit = change.edit, case .array(let array) = change.new else {
            return render(change.new, to: out)
        }
        return renderElement(
            edit.kind == .removal ? .absent : array.element(edit.index),
            edit.kind != .removal,
            to: out
        )
    }

    private func appendOld(_ change: borrowing PathChange, _ rendered: ByteBuffer?, to out: ByteBuffer)
        -> Bool
    {
        if let rendered {
            out.append(rendered.view)
            return !rendered.isEmpty
        }
        guard let edit = change.edit else { return render(change.old, to: out) }
        return renderElement(edit.old, edit.kind != .insertion, to: out)
    }

    /// The elements concerned: one, or none on the side that has none.
    private func renderElement(_ element: StoredValue, _ isThere: Bool, to out: ByteBuffer) -> Bool {
        out.append(0x5B)
        guard !isThere || render(element, to: out) else { return false }
        out.append(0x5D)
        return true
    }

    /// Appends a member that names an ancestor of `node`, whose path begins with the ancestor's.
    private func append(_ member: StaticString, pathOf ancestor: NodeID, in node: NodeID, to out: ByteBuffer)
    {
        guard ancestor != noRecord else { return }
        out.append(member)
        out.append(nodes[node].path.view.prefix(Int(nodes[ancestor].pathLength)))
        out.append(0x22)
    }
}

extension ByteBuffer {
    /// Appends what stands behind all else in an event.
    @inline(__always)
    func appendEventEnd(revision: UInt64, coalesced: Int) {
        append(",\"revision\":")
        append(decimal: revision)
        if coalesced > 1 {
            append(",\"coalesced\":")
            append(decimal: UInt64(coalesced))
        }
        append("}}\n")
    }
}
