// SPDX-License-Identifier: MIT
// A client of a hub in the same process: sends requests, receives answers and events. Independent of their contents.

/// One session of a hub, without a socket.
///
/// - Threading: the hub's.
final class LocalSession: Transport {
    private let hub: Hub
    private let session: Session
    private var conversation = ClientSession()
    private var events: [ChangeEvent] = []
    private var answers: [Int64: Result<RawJSON, DaemonError>] = [:]

    init(_ hub: Hub) {
        self.hub = hub
        session = Session(token: 0, peer: hub.process, limits: hub.limits)
        session.transport = self
        hub.open(session)
    }

    /// Executes a request. ``drainEvents()`` then returns its events and those of its consequences.
    func call(_ method: String, _ params: RequestParams) -> Result<RawJSON, DaemonError> {
        let (id, line) = conversation.request(method, params)
        _ = ByteView.with(line) { hub.receive($0, from: session) }
        finishTurn()
        let answer = answers.removeValue(forKey: id)
        return answer ?? .failure(DaemonError(code: .internalError, message: "there was no answer"))
    }

    /// Returns the events since the last call.
    func drainEvents() -> [ChangeEvent] {
        finishTurn()
        defer { events = [] }
        return events
    }

    // MARK: Transport

    func flush(_ session: Session) {
        let waiting = session.hasBroadcastRange ? hub.broadcastBytes(of: session).array : session.output?.array ?? []
        let messages = conversation.receive(waiting)
        _ = hub.sent(waiting.count, to: session)
        for message in messages {
            switch message {
            case .change(let event): events.append(event)
            case .answer(let id, let result): answers[id] = .success(result)
            case .refusal(let id?, let error): answers[id] = .failure(error)
            case .refusal(nil, _), .goodbye, .unknown: break
            }
        }
    }

    /// Does the work of an event loop at the end of a turn.
    private func finishTurn() {
        hub.flushBatch()
        hub.dirty.removeAll { $0 === session }
        session.isDirty = false
        repeat {
            if session.isQueueing { hub.refill(session) }
            flush(session)
        } while session.hasOutput
    }
}
