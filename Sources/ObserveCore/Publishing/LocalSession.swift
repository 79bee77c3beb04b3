// SPDX-License-Identifier: MIT
// A client of a hub in the same process: requests go in, answers and events come out. Knows nothing of what they say.

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

    func close() { hub.close(session) }

    /// Carries out a request. Its events, and those of what it led to, are there afterwards.
    func call(_ method: String, _ params: [(name: String, value: RawJSON)]) -> Result<RawJSON, DaemonError> {
        let (id, line) = conversation.request(method, params)
        _ = ByteView.with(line) { hub.receive($0, from: session) }
        settle()
        let answer = answers.removeValue(forKey: id)
        return answer ?? .failure(DaemonError(code: .internalError, message: "there was no answer"))
    }

    /// The events that have come since the last time.
    func takeEvents() -> [ChangeEvent] {
        settle()
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

    /// What an event loop does at the end of a turn.
    private func settle() {
        hub.flushBatch()
        hub.dirty.removeAll { $0 === session }
        session.isDirty = false
        repeat {
            if session.isQueueing { hub.refill(session) }
            flush(session)
        } while session.hasOutput
    }
}
