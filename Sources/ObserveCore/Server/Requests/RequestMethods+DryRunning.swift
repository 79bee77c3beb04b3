// SPDX-License-Identifier: MIT
// The param `dryRun` of writes: what they would change, without leaving anything. Independent of the writes.

extension RequestMethods {
    func preview(isLimited: Bool, _ body: () throws(WireError) -> Void) throws(WireError) -> CommitPreview {
        reply.isDryRun = true
        defer { reply.isDryRun = false }
        // The path of the write may lead through weak references. If the client may not read it, it gets nothing of this.
        let preview = CommitPreview(of: tree, readable: readablePaths.map { $0 + [parsed.path] })
        preview.hasChanges = try tree.preview(
            refusingAs: { WireError(tooLarge($0)) },
            isLimited: isLimited,
            body,
            inspect: preview.inspect
        )
        preview.finish()
        return preview
    }

    func append(_ preview: CommitPreview) {
        answer.truncate(to: answer.count - 1)
        let start = answer.count
        answer.append(",\"changes\":", arrayOf: preview.changes) { change in
            answer.append("{\"path\":", change.path)
            answer.append(",\"old\":")
            answer.append(preview.text.view.slice(change.old))
            answer.append(",\"new\":")
            answer.append(preview.text.view.slice(change.new))
            append(change.manner)
            answer.append(0x7D)
        }
        append(",\"furtherChanges\":", preview.furtherChanges)
        let shown = preview.failures.filter {
            allows(.read, at: $0.binding.source) && allows(.read, at: $0.binding.target)
        }
        var further = shown.count
        let listed = shown.lazy.prefix { _ in
            self.answer.count - start <= 2 * self.tree.limits.maxRenderedBytes
        }
        answer.append(",\"failing\":", arrayOf: listed) { failure in
            further -= 1
            answer.append("{\"binding\":", failure.binding.number)
            answer.append(",\"path\":", failure.binding.target.escaped)
            answer.append(",\"message\":", failure.message.logged, "}")
        }
        append(",\"furtherFailing\":", further)
        append(",\"hidden\":", preview.hiddenChanges)
        answer.append(0x7D)
    }

    func append(_ head: StaticString, _ count: Int) { if count > 0 { answer.append(head, count) } }
}
