// SPDX-License-Identifier: MIT
// The daemon's notifications for a service manager, which is the test here. Independent of systemd.

import Glibc
import Testing

@Suite(.timeLimit(.minutes(15))) struct ServiceTests {
    private static let ping = #"{"id":1,"method":"ping"}"#
    private static let signOfLife = ["WATCHDOG=1"]

    @Test(arguments: NotifySocket.Kind.allCases)
    func `the daemon notifies its manager once it serves, and before it ends`(kind: NotifySocket.Kind) throws
    {
        let manager = try NotifySocket(kind)
        let directory = try TemporaryDirectory()
        let socket = directory.path("s")
        let daemon = try ServiceUnderTest.start(
            ["--socket", socket, "--config", "none"],
            environment: ["NOTIFY_SOCKET": manager.address]
        )
        #expect(try manager.next() == ["READY=1", "STATUS=ready on \(socket)"])
        #expect(try LineConnection(path: socket).ask(Self.ping) != nil)
        daemon.signal(SIGTERM)
        #expect(try manager.next() == ["STOPPING=1", "STATUS=ending"])
        #expect(try daemon.finish().status == .exited(0))
        #expect(try manager.nextIfAny(within: .zero) == nil)
    }

    @Test func `a reload is between two notifications, and a failed one leaves the daemon ready`() throws {
        let manager = try NotifySocket()
        let daemon = try DaemonUnderTest(
            configuration: "{}",
            environment: ["NOTIFY_SOCKET": manager.address]
        )
        let ready = "STATUS=ready on \(daemon.socket)"
        #expect(try manager.next() == ["READY=1", ready])
        for (text, status) in [
            (#"{"models":{"a":{"value":1}}}"#, ready),
            ("{", "\(ready), with the former configuration: see the log"),
        ] {
            try daemon.directory.write(text, to: "observed.json")
            let before = monotonicMicroseconds()
            daemon.process.signal(SIGHUP)
            let reloading = try manager.next()
            #expect(reloading.first == "RELOADING=1")
            #expect(reloading.last == "STATUS=reading the configuration")
            let time = try #require(UInt64(reloading[1].dropFirst("MONOTONIC_USEC=".count)))
            #expect((before...monotonicMicroseconds()).contains(time))
            #expect(try manager.next() == ["READY=1", status])
        }
        #expect(
            try daemon.connect().ask(#"{"id":1,"method":"get","params":{"path":"a"}}"#)?.contains("1") == true
        )
    }

    @Test func `a stopped daemon gives no sign of life`() throws {
        let manager = try NotifySocket()
        let directory = try TemporaryDirectory()
        let daemon = try watched(by: manager, ["--socket", directory.path("s"), "--config", "none"])
        #expect(try manager.next().first == "READY=1")
        for _ in 0..<5 { #expect(try manager.next() == Self.signOfLife) }
        daemon.signal(SIGSTOP)
        var info = unsafe siginfo_t()
        let code = unsafe waitid(P_PID, id_t(daemon.pid), &info, WSTOPPED | WNOWAIT)
        #expect(code == 0)
        while try manager.nextIfAny(within: .zero) != nil {}
        #expect(try manager.nextIfAny(within: Self.manyIntervals) == nil)
        daemon.signal(SIGCONT)
        #expect(try manager.next() == Self.signOfLife)
        daemon.signal(SIGTERM)
        #expect(try manager.nextEvent().first == "STOPPING=1")
        #expect(try daemon.finish().status == .exited(0))
    }

    @Test func `an interval that can't be kept gets a warning`() throws {
        let manager = try NotifySocket()
        let directory = try TemporaryDirectory()
        let daemon = try ServiceUnderTest.start(
            ["--socket", directory.path("s"), "--config", "none"],
            environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "1"]
        )
        try daemon.readLine(containing: "$WATCHDOG_USEC is 1: signs of life come once", from: .errors)
        #expect(try manager.next().first == "READY=1")
        #expect(try manager.next() == Self.signOfLife)
    }

    @Test func `a daemon without a watchdog gives no sign of life`() throws {
        let manager = try NotifySocket()
        let daemon = try DaemonUnderTest(environment: [
            "NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1",
        ])
        #expect(try manager.next().first == "READY=1")
        #expect(try manager.nextIfAny(within: Self.manyIntervals) == nil)
        #expect(try daemon.stop().status == .exited(0))
    }

    @Test func `the daemon serves although its manager has gone`() throws {
        let daemon = try DaemonUnderTest(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"])
        try daemon.process.readLine(
            containing: "/nonexistent/notify accepts no notification: No such file",
            from: .errors
        )
        #expect(try daemon.connect().ask(Self.ping) != nil)
    }

    @Test func `the daemon handles signals that it inherits as blocked`() throws {
        let directory = try TemporaryDirectory()
        let daemon = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", directory.path("s"), "--config", "none", "--state", "none"],
            inheriting: Inherited(blocked: [SIGTERM, SIGINT, SIGHUP])
        )
        try daemon.readLine(containing: "ready on", from: .errors)
        daemon.signal(SIGHUP)
        try daemon.readLine(containing: "no configuration to read again", from: .errors)
        daemon.signal(SIGTERM)
        #expect(try daemon.finish().status == .exited(0))
    }

    /// systemd makes such a link for `StateDirectory=` with `DynamicUser=`.
    @Test func `the state may be in a folder behind a link`() throws {
        let directory = try TemporaryDirectory()
        try #require(unsafe mkdir(directory.path("private"), 0o700) == 0)
        try #require(unsafe symlink("private", directory.path("observed")) == 0)
        let daemon = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", directory.path("s"), "--config", "none"],
            environment: ["XDG_STATE_HOME": directory.path]
        )
        try daemon.readLine(containing: "models persist in \(directory.path("observed"))", from: .errors)
        try daemon.readLine(containing: "ready on", from: .errors)
        #expect(FileKind.of(directory.path("private/journal-1")) == .regular)
    }

    // MARK: Helpers

    /// Fifty times the interval of the watched daemons.
    private static let manyIntervals = Duration.milliseconds(50)

    private func watched(by manager: NotifySocket, _ arguments: [String]) throws -> ChildProcess {
        try ServiceUnderTest.start(
            arguments,
            environment: ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "2000"]
        )
    }

    private func monotonicMicroseconds() -> UInt64 {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    }
}
