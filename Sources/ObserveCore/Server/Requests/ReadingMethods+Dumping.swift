// SPDX-License-Identifier: MIT
// dump: sends a read view of the tree in parts. Independent of its format.

extension ReadingMethods {
    /// The approximate length of a part: long enough that the cost of a request does not matter, and short enough
    /// not to delay other clients.
    private static let partBytes = 256 << 10

    func dump(_ params: Request, _ session: Session) throws(WireError) {
        let part = try params.index(.part) ?? 0
        if part == 0 {
            session.endDump()
            session.dump = try beginDump(params, session)
        } else if params.value(.path) != nil {
            throw .invalidParams("the param path is given with part 0 alone")
        }
        guard let dump = session.dump, let readView = dump.readView
        else { throw .invalidParams("no dump is under way on this connection: it begins with part 0") }
        guard dump.next == part
        else { throw .invalidParams("the next part of this connection's dump is \(dump.next), not \(part)") }
        if let reason = readView.endReason {
            session.dump = nil
            throw .limitExceeded(
                reason == .types
                    ? "the dump was cancelled: the configuration changed the declared types"
                    : "the dump was cancelled: the old values kept since revision \(readView.header.revision) exceed \(clients.limits.maxOutboxBytes) bytes (maxOutboxBytes), and no part was requested for 10 s or maxBufferedBytes is exceeded"
            )
        }
        dump.lastRead = clients.clock()
        append(readView, dump)
        if readView.isDone { session.dump = nil }
    }

    private func beginDump(_ params: Request, _ session: Session) throws(WireError) -> Dump {
        try requireRoomForDump()
        let dump = Dump(at: clients.clock())
        let terms = ReadView.Terms(
            epoch: journaling.epoch,
            clock: WallClock(offset: clients.gate.journal?.clock.offset ?? clients.clockOffset),
            limitBytes: clients.limits.maxOutboxBytes,
            isVisibleOnly: clients.writer.isRestricted,
            isWanted: { [unowned clients, unowned dump, unowned session] in clients.isReading(dump, session) }
        )
        guard let param = params.value(.path) else {
            try requireEverything(.read, "only a client that may read everything can dump all roots")
            dump.readView = ReadView(of: tree, terms)
            return dump
        }
        try parseReadable(param, .path, .read)
        guard parsed.path.isLiteral else {
            throw .invalidParams(
                "the param path has \(parsed.path.unwritable), and a dump is of what is there"
            )
        }
        if isDaemonRoot(parsed.path) {
            throw WireError(.readOnly, "the root observed is the daemon's own: nothing of it can be loaded")
        }
        do throws(TreeError) { dump.readView = try ReadView(of: tree, at: parsed.path, terms) } catch {
            throw WireError(error)
        }
        return dump
    }

    private func append(_ readView: ReadView, _ dump: Dump) {
        let text = ByteBuffer(capacity: Hub.partBytes + Hub.partBytes / 2)
        readView.write(to: text, bytes: Hub.partBytes)
        answer.append("{\"part\":", dump.next)
        dump.next += 1
        answer.append(",\"revision\":", readView.header.revision)
        answer.append(",\"epoch\":", readView.header.epoch)
        answer.append(readView.isDone ? ",\"more\":false,\"text\":" : ",\"more\":true,\"text\":")
        answer.appendJSONString(decoded: text.view)
        answer.append(0x7D)
    }
}
