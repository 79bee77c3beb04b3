// SPDX-License-Identifier: MIT
// Replaces the program: collects the requests, tries the next program as a child, ends all connections. Independent of
// the command line and of signals.

internal import Dispatch

/// The clients that asked for an upgrade, and the program's part in it.
struct UpgradeRequests {
    /// Decides whether the program is replaced.
    var begin: (EventLoop) -> Void = { _ in }
    /// Called with the end of the child that is running.
    var childEnded: ((Result<ProgramRun, SocketError>, EventLoop) -> Void)?
    private var stop: EventCounter?
    private let queue = DispatchQueue(label: "observed.child")
    private var waiting: [(session: Session, id: [UInt8]?)] = []

    mutating func add(_ session: Session, _ id: [UInt8]?) { waiting.append((session, id)) }

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

    mutating func popWaiting() -> [(session: Session, id: [UInt8]?)] { exchange(&waiting, with: []) }
}

extension EventLoop {
    /// Lets clients request an upgrade with the method `upgrade`.
    ///
    /// - Parameter begin: called for each request. It has to answer with ``answerUpgrade(_:)``.
    package func allowUpgrades(_ begin: @escaping (EventLoop) -> Void) {
        upgrade.begin = begin
        hub.beginUpgrade = { [unowned self] session, id in
            upgrade.add(session, id)
            // After the requests of this turn.
            mailbox.post { $0.upgrade.begin($0) }
        }
    }

    /// Answers the clients that asked for an upgrade.
    package func answerUpgrade(_ outcome: UpgradeOutcome) {
        let waiting = upgrade.popWaiting()
        for (session, id) in waiting { hub.answer(id, of: session, outcome) }
        flushDirty()
        // A notification has no answer, after which a half-closed connection would end.
        for (session, _) in waiting {
            if let connection = connections[session.token] { closeIfDone(connection) }
        }
    }

    /// Runs the program file as a child, on a thread of its own, and then `ended` on the queue.
    ///
    /// - Parameter seconds: the time after which the child is killed.
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

    /// Ends the child that is running, and its children.
    package func endChild() { upgrade.endChild() }

    /// Ends all connections with the reason `upgrade`. Then ``run()`` returns, and the listener stays open for the next
    /// program.
    package func endForUpgrade() { shutDown(.upgrade) {} }

    // MARK: Handing over

    /// Restores the tree from a handover. Call it before clients are served: instead of keeping the state if the handover
    /// has the tree, else after it.
    package func takeOver(_ handover: Handover) throws(StateError) { try journaling.takeOver(handover) }

    /// The tree with its history, for the next program's check: see ``takeOver(_:)``.
    package func handover() -> [UInt8] { journaling.handover(socket: nil, withTree: true) }

    /// What the next program needs, after ``run()`` has returned for an upgrade: the listener's descriptor, and the text of
    /// a ``Handover``. Nil if the server has ended instead.
    ///
    /// - Parameter withTree: false if the next program reads the tree from the state's folder.
    /// - Parameter configuration: the text of the configuration that stays in force, if the disk is broken.
    package func handover(withTree: Bool, configuration: [UInt8]) -> (listener: Int32, text: [UInt8])? {
        guard let listener else { return nil }
        guard let breakage else {
            return (listener.number, journaling.handover(socket: listener.file, withTree: withTree))
        }
        let text = Handover.text(
            after: breakage,
            epoch: journaling.epoch,
            socket: listener.file,
            configuration: configuration
        )
        return (listener.number, text)
    }

    /// What a broken disk has kept, after ``run()`` has returned; nil if the server has ended for another reason.
    package var breakage: Breakage? { journaling.breakage }
}
