// SPDX-License-Identifier: MIT
// dump and load: a picture of the tree handed out in parts, and one taken in. What they say is the business of others.

/// What a client has sent of what it loads, part by part.
final class Intake {
    enum Content {
        case dump(DumpReader)
        /// JSON for a path.
        case value(ParsedKeyPath, ByteBuffer)
    }

    let content: Content
    /// The number of the next part.
    var next: Int64 = 0

    init(_ content: Content) { self.content = content }
}

/// A picture that a client is being told, part by part.
final class Dump {
    /// Nil until it is begun.
    var readView: ReadView?
    /// The number of the next part.
    var next: Int64 = 0
    /// When the last was asked for.
    var lastRead: MonotonicTime

    init(at now: MonotonicTime) { lastRead = now }
}

extension Hub {
    /// A part of a dump is about that long: large enough for what a request costs not to matter, and small enough for
    /// nobody else to wait for it.
    private static let partBytes = 256 << 10
    /// So many clients may be told a picture at a time.
    private static let mostDumps = 16
    /// A client that asks for no part for so long makes no memory grow.
    private static let patience: UInt64 = 10_000_000_000

    // MARK: dump

    func dump(_ params: Params, _ session: Session) throws(WireError) {
        try params.allow([.path, .part])
        let part = try params.index(.part) ?? 0
        if part == 0 {
            endDump(of: session)
            session.dump = try beginDump(params)
        } else if params.value(.path) != nil {
            throw .invalidParams("the param path is given with part 0 alone")
        }
        guard let dump = session.dump, let readView = dump.readView else {
            throw .invalidParams("no dump is under way on this connection: it begins with part 0")
        }
        guard dump.next == part else {
            throw .invalidParams("the next part of this connection's dump is \(dump.next), not \(part)")
        }
        if readView.isGivenUp {
            session.dump = nil
            throw WireError(
                .limitExceeded,
                "the dump was given up: no part was asked for in 10 s, and what was changed since revision \(readView.header.revision) and is not told yet takes more than \(limits.maxOutboxBytes) bytes (maxOutboxBytes)"
            )
        }
        dump.lastRead = clock()
        append(readView, dump)
        if readView.isDone { session.dump = nil }
    }

    private func beginDump(_ params: Params) throws(WireError) -> Dump {
        guard sessions.values.count(where: { $0.dump != nil }) < Hub.mostDumps else {
            throw WireError(.limitExceeded, "\(Hub.mostDumps) dumps are under way, and no more can be")
        }
        let dump = Dump(at: clock())
        let isWanted = { [unowned self, unowned dump] in
            dump.lastRead.nanoseconds(until: clock()) < Hub.patience
        }
        let (limit, wallClock) = (
            limits.maxOutboxBytes, WallClock(offset: journal?.clock.offset ?? Platform.clockOffset)
        )
        guard let param = params.value(.path) else {
            try requireEverything(.read, "a dump of all roots is for who may read everything")
            dump.readView = ReadView(
                of: tree,
                epoch: epoch,
                clock: wallClock,
                limitBytes: limit,
                isWanted: isWanted
            )
            return dump
        }
        try parseReadable(param, .path, .read, into: path)
        guard path.isLiteral else {
            throw .invalidParams("the param path has a collection operator, and a dump is of what is there")
        }
        if isDaemonRoot(path) {
            throw WireError(.readOnly, "the root observed is the daemon's own: nothing of it can be loaded")
        }
        do throws(TreeError) {
            dump.readView = try ReadView(
                of: tree,
                at: path,
                epoch: epoch,
                clock: wallClock,
                limitBytes: limit,
                isWanted: isWanted
            )
        } catch { throw WireError(error) }
        return dump
    }

    private func append(_ readView: ReadView, _ dump: Dump) {
        let text = ByteBuffer(capacity: Hub.partBytes + Hub.partBytes / 2)
        readView.write(to: text, bytes: Hub.partBytes)
        answer.append("{\"part\":")
        answer.append(decimal: dump.next)
        dump.next += 1
        answer.append(",\"revision\":")
        answer.append(decimal: readView.header.revision)
        answer.append(",\"epoch\":")
        answer.appendJSONString(utf8: readView.header.epoch)
        answer.append(readView.isDone ? ",\"more\":false,\"text\":" : ",\"more\":true,\"text\":")
        answer.appendJSONString(decoded: text.view)
        answer.append(0x7D)
    }

    func endDump(of session: Session) {
        session.dump?.readView?.end()
        session.dump = nil
    }

    // MARK: load

    func load(_ params: Params, _ session: Session) throws(WireError) {
        try params.allow([.path, .text, .part, .last])
        let part = try params.index(.part) ?? 0
        let isLast = try params.bool(.last, default: true)
        let text = try params.required(.text)
        guard text.kind == .string else { throw .invalidParams("the param text is a string") }
        if part == 0 {
            session.intake = try beginIntake(params)
        } else if params.value(.path) != nil {
            throw .invalidParams("the param path is given with part 0 alone")
        }
        guard let intake = session.intake else {
            throw .invalidParams("no load is under way on this connection: it begins with part 0")
        }
        // Whatever goes wrong, it begins anew.
        session.intake = nil
        guard intake.next == part else {
            throw .invalidParams(
                "the next part of this connection's load is \(intake.next), not \(part); it was given up"
            )
        }
        try consume(text, intake)
        guard isLast else {
            intake.next += 1
            session.intake = intake
            answer.append("{\"part\":")
            answer.append(decimal: part)
            answer.append(0x7D)
            return
        }
        try requireJournal()
        let changed = try finish(intake)
        // At once: what has come of the parts is gone, so nothing could carry the request out once more.
        guard flushBatch() else { throw journalUnavailable }
        answer.beginWriteResult(revision, changed: changed)
        answer.append(0x7D)
    }

    private func beginIntake(_ params: Params) throws(WireError) -> Intake {
        guard let param = params.value(.path) else {
            // Its bindings read where they like.
            try requireEverything([.read, .write], "a dump is loaded by who may read and write everything")
            return Intake(.dump(DumpReader(limits: limits.tree)))
        }
        let path = ParsedKeyPath(maxDepth: limits.tree.maxDepth)
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
                token = try JSONScanner.validate(json.view, maxDepth: limits.tree.maxDepth + 8)
            } catch {
                throw .invalidParams("the text is no JSON: \(error.description)")
            }
            var changed = false
            do throws(TreeError) {
                try tree.commit { () throws(TreeError) in changed = try tree.set(path, to: JSONView(token)) }
            } catch { throw WireError(error) }
            return changed
        }
    }
}
