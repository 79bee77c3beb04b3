// SPDX-License-Identifier: MIT
// Replaces the program: collects the requests, tries the next one as a child, ends all connections. Independent of signals.

internal import Dispatch

/// The clients that asked for an upgrade, and the program's part in it.
struct UpgradeRequests {
    /// Decides whether the program is replaced.
    var begin: (EventLoop) -> Void = { _ in }
    var childEnded: ((Result<ProgramRun, SocketError>, EventLoop) -> Void)?
    private var stop: EventCounter?
    private let queue = DispatchQueue(label: "observed.child")
    var waiting: [(session: Session, id: [UInt8]?)] = []

    /// Runs on a thread of its own, with a counter that ends it.
    mutating func run(_ body: @escaping @Sendable (EventCounter) -> Void) throws(SocketError) {
        let stop = try EventCounter()
        self.stop = stop
        queue.async { body(stop) }
    }

    func endChild() {
        guard let stop else { return }
        stop.signal()
        queue.sync {}
    }
}

extension EventLoop {
    /// Lets clients request an upgrade. `begin` is called for each request, and has to answer with ``answerUpgrade(_:)``.
    package func allowUpgrades(_ begin: @escaping (EventLoop) -> Void) {
        upgrade.begin = begin
        hub.beginUpgrade = { [unowned self] session, id in
            upgrade.waiting.append((session, id))
            // After the requests of this turn.
            mailbox.post { $0.upgrade.begin($0) }
        }
    }

    package func answerUpgrade(_ outcome: UpgradeOutcome) {
        let waiting = exchange(&upgrade.waiting, with: [])
        for (session, id) in waiting { hub.answer(id, of: session, outcome) }
        flushDirty()
        // A notification has no answer, after which a half-closed connection would end.
        for (session, _) in waiting {
            if let connection = connections[session.token] { closeIfDone(connection) }
        }
    }

    /// Runs the program file as a child, on a thread of its own, and then `ended` on the queue. Kills it after that time.
    package func runChild(
        _ arguments: [String],
        input: [UInt8],
        seconds: UInt64,
        _ ended: @escaping (Result<ProgramRun, SocketError>, EventLoop) -> Void
    ) {
        upgrade.childEnded = ended
        do throws(SocketError) {
            try upgrade.run { [mailbox] stop in
                let result = Result { () throws(SocketError) in
                    try ProgramRun.of(
                        [ProgramFile.path] + arguments,
                        input: MemoryFile(input, name: "observed-handover"),
                        until: .now.adding(milliseconds: seconds * 1000),
                        stop: stop
                    )
                }
                mailbox.post { $0.upgrade.childEnded.take()?(result, $0) }
            }
        } catch {
            upgrade.childEnded = nil
            ended(.failure(error), self)
        }
    }

    package func endChild() { upgrade.endChild() }

    /// Ends all connections. Then ``run()`` returns, and the listener stays open for the next program.
    package func endForUpgrade() { shutDown(.upgrade) {} }
}
