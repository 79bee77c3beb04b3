// SPDX-License-Identifier: MIT
// The fast path of most requests: a `set` of a property to a scalar, without conditions and options.

extension ParamNames {
    static let simpleSet: ParamNames = [.path, .value]
    static let simpleLink: ParamNames = [.path, .target]
}

extension Hub {
    /// Executes the request in ``ParsedRequest/request`` if it sets a property to a scalar with no other effects, for a client
    /// whose session is free. Answers as ``handle(_:isParsed:from:)``, in fewer steps. False, with nothing done, for any other.
    @inline(__always) func executeFastSet(_ line: ByteView, _ session: Session) -> Bool {
        guard isSimpleSet, let id = parsed.request.id, let path = parsed.request.value(.path),
            let value = parsed.request.value(.value)
        else { return false }
        return set(path, to: value, answering: id, line, session)
    }

    /// Executes a prefetched `set` likewise.
    @inline(never) func executeFastSet(_ set: PrefetchedSet, _ session: Session) -> Bool {
        self.set(set.path, to: set.value, answering: set.id, set.line, session)
    }

    @inline(__always)
    var isSimpleSet: Bool { parsed.request.given == .simpleSet && parsed.request.method == "set" }

    @inline(__always) private func set(
        _ path: JSONView,
        to value: JSONView,
        answering id: ByteView,
        _ line: ByteView,
        _ session: Session
    ) -> Bool {
        guard clients.fastPaths.scalarSets, clients.gate.acceptsWrites, session.delivery.isFree,
            let property = fastPathProperty(path),
            let isChanged = tree.commit(
                scalar: value,
                to: property,
                notifying: clients,
                recording: journaling
            ) ?? commitWhole(value, to: property)
        else { return false }
        if !isChanged, journaling.refusals.pop() {
            refuse(journaling.journalUnavailable, id: id, session)
        } else {
            finishSet(isChanged, answering: id, session)
        }
        if clients.gate.needsFlush { journaling.noteUnflushed(line) }
        return true
    }

    /// Commits by the general path. What the tree does then is not in proportion to the line, so it counts.
    private func commitWhole(_ value: JSONView, to property: PropertyID) -> Bool? {
        defer { clients.countTreeWork() }
        return tree.commitWhole(scalar: value, to: property)
    }

    @inline(__always) private func finishSet(_ isChanged: Bool, answering id: ByteView, _ session: Session) {
        clients.endEventGroup()
        if session.delivery.isFree {
            clients.broadcast.revisionText.show(tree.reader.revision)
            clients.write(to: session) {
                $0.appendWriteAnswer(id: id, clients.broadcast.revisionText, changed: isChanged)
            }
        } else {
            finishBusySet(isChanged, answering: id, session)
        }
    }

    /// Does the same if the event of its own change has blocked or closed the session.
    @inline(never) private func finishBusySet(_ isChanged: Bool, answering id: ByteView, _ session: Session) {
        answer.removeAll()
        answer.beginResponse(id: id)
        append(WriteOutcome(changed: isChanged))
        answer.endResponse()
        finishAnswer(to: session, isOfRequest: true)
    }
}
