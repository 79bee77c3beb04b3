// SPDX-License-Identifier: MIT
// The real daemon while idle, as the kernel shows it. Independent of its messages.

import Glibc
import ObserveCore
import Testing

struct IdleTests {
    private static let ping = #"{"id":1,"method":"ping"}"#

    @Test(.timeLimit(.minutes(15)))
    func `an idle daemon without state has one thread and sleeps`() throws {
        let daemon = try DaemonUnderTest()
        try waitUntilAsleep(daemon)
        let client = try daemon.connect()
        for _ in 0..<1000 { #expect(try client.ask(Self.ping) != nil) }
        try waitUntilAsleep(daemon)
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
        try waitUntilAsleep(daemon)
        #expect(try text("status", of: daemon).contains("\nThreads:\t1\n"))
    }

    /// Output for many clients takes buffers, which the daemon frees before it sleeps.
    @Test(.timeLimit(.minutes(15)))
    func `the daemon sleeps after it answers many clients at once`() throws {
        let daemon = try DaemonUnderTest()
        let clients = try (0..<200).map { _ in try daemon.connect() }
        for client in clients { #expect(try client.ask(Self.ping) != nil) }
        daemon.process.signal(SIGSTOP)
        for client in clients { try client.send(Self.ping) }
        daemon.process.signal(SIGCONT)
        for client in clients { #expect(try client.readLine() != nil) }
        try waitUntilAsleep(daemon)
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["none", "interval", "commit"])
    func `the daemon sleeps once all commits are on the disk`(durability: String) throws {
        let daemon = try KeptState(durability).start()
        for value in 1...10 {
            #expect(try daemon.observectl("set", "a", "\(value)").status == .exited(0))
        }
        try waitUntilAsleep(daemon)
        #expect(try daemon.stop().status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a temporary value from before a restart expires without a client`() throws {
        let state = try KeptState("commit")
        let first = try state.start()
        #expect(try first.observectl("set", "--lifetime", "1h", "a", "1").status == .exited(0))
        #expect(try first.stop().status == .exited(0))
        let second = try state.start()
        while try !hasTimer(second) {}
    }

    /// Waits until the daemon sleeps in its epoll set (256 events at a time) without a timeout and without an armed
    /// timer.
    private func waitUntilAsleep(_ daemon: DaemonUnderTest) throws {
        while true {
            let call = try text("syscall", of: daemon).split(separator: " ")
            if call.count > 4, call[3] == "0x100", call[4].hasSuffix("ffffffff"), try !hasTimer(daemon) {
                return
            }
        }
    }

    private func hasTimer(_ daemon: DaemonUnderTest) throws -> Bool {
        for number in 0..<64 {
            guard let info = try? text("fdinfo/\(number)", of: daemon) else { continue }
            if info.contains("it_value: "), !info.contains("it_value: (0, 0)") { return true }
        }
        return false
    }

    private func text(_ file: String, of daemon: DaemonUnderTest) throws -> String {
        try readText("/proc/\(daemon.process.pid)/\(file)")
    }
}
