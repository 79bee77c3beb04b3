// SPDX-License-Identifier: MIT
// Requests the figures of `top`. Independent of their drawing.

import ObserveCore

/// Takes samples on one connection, which it makes again after a loss.
/// - Errors: those of the requests; the next sample connects again.
/// - Threading: confined to its owner, whose thread it blocks for ``patience`` at most.
final class TopSampling {
    /// A daemon that does not answer in that time counts as gone.
    private static let patience: UInt64 = 2000

    private let invocation: Invocation
    private var connection: ClientConnection?
    private var users: [Int64: String?] = [:]
    private(set) var last: TopSample?

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// The figures now, with rates since the sample before.
    func next() throws(ClientError) -> TopFigures {
        do throws(ClientError) {
            let open: ClientConnection
            if let connection { open = connection } else { open = try invocation.connect(until: deadline) }
            connection = open
            let (sample, former) = (try sample(open), last)
            last = sample
            return TopFigures(sample, after: former)
        } catch {
            connection = nil
            throw error
        }
    }

    private var deadline: MonotonicTime {
        min(invocation.deadline ?? .distantFuture, .now.adding(milliseconds: TopSampling.patience))
    }

    private func sample(_ connection: ClientConnection) throws(ClientError) -> TopSample {
        let status = try connection.call("status", until: deadline).checkedValue()
        let clients = try connection.call("clients", until: deadline).checkedValue()
        let daemon = connection.listener.flatMap { pid in
            // A service manager may listen in place of the daemon.
            ProcessName.of(pid, runningAt: .now) == "systemd" ? nil : pid
        }
        return TopSample(
            time: MonotonicTime.now.nanoseconds,
            status: status,
            clients: (clients["clients"]?.array ?? []).map { TopClient($0, userName: userName) },
            processorTime: daemon.flatMap(ProcessorTime.ofProcess),
            memory: daemon.flatMap(ProcessMemory.resident)
        )
    }

    private func userName(_ uid: Int64) -> String? {
        if let known = users[uid] { return known }
        let name = UInt32(exactly: uid).flatMap(Platform.userName)
        users[uid] = .some(name)
        return name
    }
}
