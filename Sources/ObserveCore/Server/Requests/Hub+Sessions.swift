// SPDX-License-Identifier: MIT
// Ends sessions, opens those of clients in the same process, and does the work that is due. Independent of requests.

extension Hub {
    /// Ends a session with its subscriptions, its dump and its temporary values. Many subscriptions end over several turns
    /// (``Clients/continueClosing()``), and send nothing more.
    func close(_ session: Session) {
        clients.close(session)
        journaling.endLifetimes(of: session.number)
        clients.endSubscriptions(of: session)
    }

    /// Counts the bytes that the session holds at the end of its turn. Frees those of the greediest if all hold too many.
    @inline(__always) func countBytes(of session: Session) {
        if session.holdsNothing { return }
        clients.account(session)
        if clients.sessions.buffered.isExceeded { relieveMemory() }
    }

    func relieveMemory() {
        journaling.flushBatch()
        clients.relieveMemory()
    }

    // MARK: Clients in the same process

    /// Opens a session for a client in this process, which sets its transport.
    func openLocal() -> Session {
        let session = Session(token: 0, peer: clients.writer.process, limits: clients.limits)
        clients.open(session)
        return session
    }

    /// Removes and returns the bytes that wait for a client in this process.
    func popOutput(of session: Session) -> [UInt8] {
        let waiting = clients.waitingOutput(of: session).array
        _ = clients.sent(waiting.count, to: session)
        return waiting
    }

    /// Sends everything that waits for the session, as an event loop does at the end of a turn.
    func finishTurn(of session: Session) {
        journaling.flushBatch()
        clients.sessions.dirty.removeAll { $0 === session }
        session.output.endDirty()
        repeat {
            journaling.catchUp(session)
            session.transport?.flush(session)
        } while session.hasOutput
    }

    // MARK: Timers

    /// Does the work that is due, until the round is over; at least one item. The marks of one time become due together, also
    /// after the end of the round: their events are one frame.
    func runTimers(at now: MonotonicTime) {
        repeat {
            guard let item = clients.timers.popDue(at: now) else { return }
            clients.count(work: item.path == nil ? Cost.request : Cost.queuedEvent)
            run(item, at: now)
            clients.countTreeWork()
        } while !clients.hasRoundEnded || clients.timers.firstDue(at: now)?.path != nil
    }

    func run(_ item: TimerItem, at now: MonotonicTime) {
        switch item {
        case .refreshDaemonRoot: refreshDaemonRoot(at: now)
        case .endLifetime(let number): journaling.endLifetime(number)
        case .endLifetimes(let owner): journaling.endLifetimes(of: owner)
        case .syncJournal: journaling.syncJournal()
        case .endIdle(let number): clients.endIdle(number, at: now)
        case .release(let path): clients.release(path, at: now)
        }
    }
}
