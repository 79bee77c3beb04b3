// SPDX-License-Identifier: MIT
// A client of a hub in the same process: sends requests, receives answers and events. Independent of their contents.

final class LocalSession: Transport {
    private let hub: Hub
    private let session: Session
    private var conversation = ClientSession()
    private var events: [ChangeEvent] = []
    private var answers: [Int64: Result<RawJSON, DaemonError>] = [:]
    private var lastID: Int64 = 0

    init(_ hub: Hub) {
        self.hub = hub
        session = hub.openLocal()
        session.transport = self
    }

    /// Executes a request. ``drainEvents()`` then returns its events and those of its consequences.
    func call(_ method: String, _ params: RequestParams) -> Result<RawJSON, DaemonError> {
        let (id, line) = conversation.request(method, params)
        lastID = id
        _ = ByteView.with(line) { hub.receive($0, from: session) }
        hub.finishTurn(of: session)
        let answer = answers.removeValue(forKey: id)
        return answer ?? .failure(DaemonError(code: .internalError, message: "there was no answer"))
    }

    /// Returns the events since the last call.
    func drainEvents() -> [ChangeEvent] {
        hub.finishTurn(of: session)
        defer { events = [] }
        return events
    }

    // MARK: Transport

    func flush(_ session: Session) {
        for message in conversation.receive(hub.popOutput(of: session)) {
            switch message {
            case .change(let event): events.append(event)
            case .answer(let id, let result): answers[id] = .success(result)
            // Without a number it refuses a line that the hub did not parse: the last one.
            case .refusal(let id, let error): answers[id ?? lastID] = .failure(error)
            case .goodbye, .unknown: break
            }
        }
    }
}
