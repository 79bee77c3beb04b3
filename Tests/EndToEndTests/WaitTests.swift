// SPDX-License-Identifier: MIT
// The real `observectl wait`: restarts, times, and races against quick changes.

import Glibc
import Testing

struct WaitTests {
    private func wait(_ socket: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(BuiltProducts.observectl, ["--socket", socket, "wait"] + arguments)
    }

    /// Waits until the daemon serves that many other connections' subscriptions.
    private func awaitSubscription(_ daemon: DaemonUnderTest) throws {
        let finished = try daemon.observectl(
            "wait",
            "--timeout",
            "30s",
            "observed.subscriptions",
            ">=",
            "2"
        )
        #expect(finished.status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `wait ends at once if the condition holds, and with 124 after its time`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "job", #"{"state":"done","tries":-3}"#)
        let held = try daemon.observectl("wait", "job.tries", "<", "-2", "job.state", "~", "^do")
        #expect(held == Finished(status: .exited(0), output: "-3\n\"done\"\n", errors: ""))
        let raw = try daemon.observectl("wait", "--raw", "job.state")
        #expect(raw == Finished(status: .exited(0), output: "done\n", errors: ""))
        let late = try daemon.observectl("wait", "job.state", "=", "new", "--timeout", "50ms")
        let lack = "job.state = new does not hold, job.state is \"done\""
        #expect(
            late == Finished(status: .exited(124), output: "", errors: "observectl: timed out: \(lack)\n")
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `wait waits for a daemon, and through its restart`() throws {
        let directory = try TemporaryDirectory()
        let waiting = try wait(directory.path("observed.sock"), "job", "=", "done")
        try waiting.readLine(containing: "waiting for it", from: .errors)
        let daemon = try DaemonUnderTest(in: directory, ["--config", "none", "--state", "none"])
        #expect(try waiting.readLine(.errors) == "observectl: the daemon is there")
        #expect(try daemon.stop(SIGKILL).status == .signalled(SIGKILL))
        try waiting.readLine(containing: "waiting for it", from: .errors)
        let next = try DaemonUnderTest(at: daemon)
        #expect(try waiting.readLine(.errors) == "observectl: the daemon is back")
        _ = try next.observectl("set", "job", "done")
        let finished = try waiting.finish()
        #expect(finished == Finished(status: .exited(0), output: "\"done\"\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `wait does not miss a value that held at one of many quick commits`() throws {
        let daemon = try DaemonUnderTest()
        let count = many(100_000, usually: 10_000)
        let wanted = "\(count * 3 / 5)"
        _ = try daemon.observectl("set", "n", "0")
        let waiting = try wait(daemon.socket, "n", "=", wanted)
        try awaitSubscription(daemon)
        let writer = try daemon.connect()
        for start in stride(from: 1, through: count, by: 1000) {
            var lines = ""
            for value in start..<start + 1000 {
                lines += #"{"method":"set","params":{"path":"n","value":\#(value)}}"# + "\n"
            }
            try writer.send(bytes: Array(lines.utf8))
        }
        #expect(try waiting.finish() == Finished(status: .exited(0), output: wanted + "\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a condition that flips in each commit never holds for long`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "busy", "true")
        let waiting = try wait(daemon.socket, "--for", "1s", "busy", "=", "false")
        try awaitSubscription(daemon)
        let writer = try daemon.connect()
        for _ in 0..<many(2000, usually: 500) {
            try writer.send(#"{"method":"set","params":{"path":"busy","value":false}}"#)
            try writer.send(#"{"method":"set","params":{"path":"busy","value":true}}"#)
        }
        #expect(
            try writer.ask(#"{"id":1,"method":"get","params":{"path":"busy"}}"#)?.contains("true") == true
        )
        // It would have printed by the time of this answer if the flips counted.
        _ = try daemon.observectl("set", "busy", "false")
        let finished = try waiting.finish()
        #expect(finished == Finished(status: .exited(0), output: "false\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `wait ends when its reader goes, and by a signal`() throws {
        let daemon = try DaemonUnderTest()
        let abandoned = try wait(daemon.socket, "job")
        abandoned.closeStream(.output)
        #expect(try abandoned.wait() == .signalled(SIGPIPE))
        let signalled = try wait(daemon.socket, "job")
        try awaitSubscription(daemon)
        signalled.signal(SIGINT)
        #expect(try signalled.wait() == .signalled(SIGINT))
    }
}
