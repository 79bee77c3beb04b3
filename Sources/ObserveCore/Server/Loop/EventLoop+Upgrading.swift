// SPDX-License-Identifier: MIT
// Replaces the program: collects the requests, tries the next program as a child, ends all connections. Independent of
// the command line and of signals.

internal import Dispatch

/// The clients that asked for an upgrade, and the program's part in it.
struct UpgradeRequests {
    /// Decides whether the program is replaced.
    var begin: () -> Void = {}
    /// Called with the end of the child that is running.
    var childEnded: ((Result<ProgramRun, SocketError>) -> Void)?
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

    mutating func popWaiting() -> [(session: Session, id: [UInt8]?)] {
        defer { waiting = [] }
        return waiting
    }
}

extension EventLoop {
    func answerUpgrade(_ outcome: UpgradeOutcome) {
        for (session, id) in upgrade.popWaiting() { hub.answer(id, of: session, outcome) }
        flushDirty()
    }

    /// Runs the program file as a child, on a thread of its own.
    func runChild(
        _ arguments: [String],
        input: [UInt8],
        seconds: UInt64,
        _ ended: @escaping (Result<ProgramRun, SocketError>) -> Void
    ) {
        upgrade.childEnded = ended
        do throws(SocketError) {
            try upgrade.run { [mailbox] stop in
                let result: Result<ProgramRun, SocketError>
                do throws(SocketError) {
                    let file = try MemoryFile(input, name: "observed-handover")
                    let deadline = MonotonicTime.now.adding(milliseconds: seconds * 1000)
                    result = .success(
                        try ProgramRun.of(
                            [ProgramFile.path] + arguments,
                            input: file,
                            until: deadline,
                            stop: stop
                        )
                    )
                } catch { result = .failure(error) }
                mailbox.post { $0.upgrade.childEnded.take()?(result) }
            }
        } catch {
            upgrade.childEnded = nil
            ended(.failure(error))
        }
    }
}
