// SPDX-License-Identifier: MIT
// Temporary values in a run of the oracle: writers disconnect, and time passes.

@testable import ObserveCore

extension OracleRun {
    /// Disconnects a writer, or lets time pass, so that values expire.
    func endSome() -> String? {
        switch writes.below(12) {
        case 0:
            let index = writes.below(actors.count)
            let gone = actors[index]
            log.append("the actor \(gone.session.number) goes")
            oracle.end(.owner(gone.session.number))
            gone.close()
            actors[index] = FakeClient(hub, token: gone.session.token)
            endCount += 1
            return checkCommit()
        case 1, 2: return pass(UInt64(writes.below(20)))
        default: return nil
        }
    }

    private func pass(_ milliseconds: UInt64) -> String? {
        let end = oracle.now + milliseconds
        log.append("\(milliseconds) ms")
        let due = oracle.terms.compactMap { if case .time(let time) = $0, time <= end { time } else { nil } }
        for time in due.sorted() {
            clock.pass(milliseconds: time - oracle.now, in: hub)
            oracle.now = time
            oracle.end(.time(time))
            endCount += 1
            if let fault = checkCommit() { return "at the end at \(time): \(fault)" }
        }
        clock.pass(milliseconds: end - oracle.now, in: hub)
        oracle.now = end
        return nil
    }

    /// The operation with a lifetime whose end is unique.
    func distinctEnd(_ operation: RefOperation) -> RefOperation {
        guard case .milliseconds(var milliseconds) = operation.lifetime else { return operation }
        while !ends.insert(oracle.now + milliseconds).inserted { milliseconds += 1 }
        var operation = operation
        operation.lifetime = .milliseconds(milliseconds)
        return operation
    }
}
