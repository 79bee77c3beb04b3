// SPDX-License-Identifier: MIT
// load: imports a dump, or JSON at a path, sent in parts. Independent of their formats.

extension Hub {
    func load(_ params: Params, _ session: Session) throws(WireError) {
        let part = try params.index(.part) ?? 0
        let isLast = try params.bool(.last, default: true)
        let text = try params.required(.text)
        guard text.kind == .string else { throw .invalidParams("the param text is a string") }
        if part == 0 {
            session.intake = nil
            if !isLast { try requireRoomForLoad() }
            session.intake = try beginIntake(params)
        } else if params.value(.path) != nil {
            throw .invalidParams("the param path is given with part 0 alone")
        }
        guard let intake = session.intake else {
            throw .invalidParams("no load is under way on this connection: it begins with part 0")
        }
        // After an error, the load has to begin anew.
        session.intake = nil
        guard intake.next == part else {
            throw .invalidParams(
                "the next part of this connection's load is \(intake.next), not \(part); the load was cancelled"
            )
        }
        try consume(text, intake)
        guard isLast else {
            try requireRoom(for: intake)
            intake.next += 1
            session.intake = intake
            answer.append("{\"part\":")
            answer.append(decimal: part)
            answer.append(0x7D)
            return
        }
        try requireJournal()
        let changed = try finish(intake)
        let isHidden = if case .value(let path, _) = intake.content { isHidden(path) } else { false }
        // Flushed at once: the parts are consumed, so the hub could not execute the request again.
        guard flushBatch() else { throw journalUnavailable }
        answer.beginWriteResult(tree.reader.revision, changed: isHidden ? nil : changed)
        answer.append(0x7D)
    }

    private func beginIntake(_ params: Params) throws(WireError) -> Intake {
        guard let param = params.value(.path) else {
            // A dump's bindings may read and write any path.
            try requireEverything(
                [.read, .write],
                "only a client that may read and write everything can load a dump"
            )
            return Intake(.dump(DumpReader(limits: tree.limits)))
        }
        let path = tree.reader.makeKeyPath()
        try parseLiteral(param, .path, .write, into: path)
        return Intake(.value(path, ByteBuffer()))
    }

    private func consume(_ text: JSONView, _ intake: Intake) throws(WireError) {
        let decoded = ByteBuffer(capacity: text.contents.count)
        text.appendDecoded(to: decoded)
        switch intake.content {
        case .value(_, let json): json.append(decoded.view)
        case .dump(let reader):
            do throws(DumpFault) { try reader.consume(decoded.view) } catch {
                throw .invalidParams(error.description)
            }
        }
    }

    /// - Returns: whether anything was changed.
    private func finish(_ intake: Intake) throws(WireError) -> Bool {
        switch intake.content {
        case .dump(let reader):
            do throws(DumpFault) { try reader.finish() } catch { throw .invalidParams(error.description) }
            do throws(TreeError) { return try tree.load(reader) } catch { throw WireError(error) }
        case .value(let path, let json):
            let token: JSONToken
            do throws(JSONError) {
                token = try JSONScanner.validate(json.view, maxDepth: tree.limits.maxDepth + 8)
            } catch {
                throw .invalidParams("the text is not JSON: \(error.description)")
            }
            var changed = false
            do throws(TreeError) {
                try tree.commit(refusingAs: tooLarge) { () throws(TreeError) in
                    changed = try tree.set(path, to: JSONView(token))
                }
            } catch { throw refusal(error, of: path, naming: .types) }
            return changed
        }
    }
}
