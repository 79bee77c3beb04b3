// SPDX-License-Identifier: MIT
// load: imports a dump, or JSON at a path, sent in parts. Independent of their formats.

extension RequestMethods {
    /// About how many bytes of a text the hub validates or builds before it asks whether the client's turn is over.
    private static var sliceBytes: Int { threshold(16 << 10, debug: 8) }

    func load(_ params: Request, _ session: Session) throws(WireError) {
        // A refusal ends the load.
        let known = session.intake
        session.intake = nil
        let part = try params.index(.part) ?? 0
        let isLast = try params.bool(.last, default: true)
        let intake = try nextIntake(params, part: part, isLast: isLast, after: known)
        guard isLast else {
            try requireRoom(forLoad: intake.heldBytes)
            answer.append("{\"part\":", part, "}")
            intake.next += 1
            return session.intake = intake
        }
        intake.isComplete = true
        guard try prepare(intake) else {
            session.intake = intake
            return reply.isSuspended = true
        }
        let changed = try finish(intake)
        let isHidden = if case .value(let path, _) = intake.content { isHidden(path) } else { false }
        answer.beginWriteResult(tree.reader.revision, changed: isHidden ? nil : changed)
        answer.append(0x7D)
    }

    private func nextIntake(_ params: Request, part: Int64, isLast: Bool, after known: Intake?)
        throws(WireError) -> Intake
    {
        let text = try params.required(.text)
        guard text.kind == .string else { throw .invalidParams("the param text is a string") }
        // The same request again, after a turn of its client.
        if let known, known.isComplete { return known }
        if part == 0 {
            if !isLast { try requireRoom(forTransfer: "loads") { $0.intake != nil } }
        } else if params.value(.path) != nil {
            throw .invalidParams("the param path is given with part 0 alone")
        }
        guard let intake = part == 0 ? try beginIntake(params) : known
        else { throw .invalidParams("no load is under way on this connection: it begins with part 0") }
        guard intake.next == part else {
            throw .invalidParams(
                "the next part of this connection's load is \(intake.next), not \(part); the load was cancelled"
            )
        }
        try consume(text, intake)
        return intake
    }

    /// Prepares a complete load for its commit, until the client's turn is over. Returns whether it is ready.
    private func prepare(_ intake: Intake) throws(WireError) -> Bool {
        guard case .value(let path, let value) = intake.content else { return true }
        let type = tree.type(ofLoadTo: path)
        while true {
            if value.isBuilding, !clients.sessions.mayBuild(intake) {
                clients.sessions.turns.endEarly()
                return false
            }
            // Dropped loads would otherwise add up.
            if tree.hasDiscarded {
                clients.count(work: tree.freeDiscarded(atMost: 256))
                if clients.isTurnOver { return false }
                continue
            }
            do throws(JSONError) { try value.advance(Hub.sliceBytes, in: tree, as: type) } catch {
                throw error.reason == .tooDeep
                    ? .tooDeep(tree.limits.maxDepth)
                    : .invalidParams("the text is not JSON: \(error.description)")
            }
            if value.isReady { return true }
            // A load in one part is judged as a commit.
            if intake.next > 0 { try requireRoom(forLoad: value.stagedBytes) }
            clients.count(work: 1 + Hub.sliceBytes >> 4)
            if clients.isTurnOver { return false }
        }
    }

    private func beginIntake(_ params: Request) throws(WireError) -> Intake {
        guard let param = params.value(.path) else {
            // A dump's bindings may read and write any path.
            let rule: StaticString = "only a client that may read and write everything can load a dump"
            try requireEverything([.read, .write], rule)
            return Intake(.dump(DumpReader(limits: tree.limits)))
        }
        let path = tree.reader.makeKeyPath()
        try parseLiteral(param, .path, .write, into: path)
        return Intake(.value(path, LoadedValue(maxDepth: tree.limits.maxDepth)))
    }

    private func consume(_ text: JSONView, _ intake: Intake) throws(WireError) {
        let decoded = ByteBuffer(capacity: text.contents.count)
        text.appendDecoded(to: decoded)
        switch intake.content {
        case .value(_, let value): value.text.append(decoded.view)
        case .dump(let reader):
            do throws(DumpFault) { try reader.consume(decoded.view) } catch {
                throw error.isTooDeep ? .tooDeep(tree.limits.maxDepth) : .invalidParams(error.description)
            }
        }
    }

    /// - Returns: whether anything was changed.
    private func finish(_ intake: Intake) throws(WireError) -> Bool {
        tree.allowElements(ofLoad: intake.heldBytes)
        switch intake.content {
        case .dump(let reader):
            do throws(DumpFault) { try reader.finish() } catch { throw .invalidParams(error.description) }
            do throws(TreeError) { return try tree.load(reader) } catch { throw WireError(error) }
        case .value(let path, let value):
            var changed = false
            do throws(TreeError) {
                try tree.commit(refusingAs: tooLarge) { () throws(TreeError) in
                    changed = try value.assign(to: path, in: tree)
                }
            } catch { throw refusal(error, of: path, naming: NamedFacts(types: true)) }
            return changed
        }
    }
}
