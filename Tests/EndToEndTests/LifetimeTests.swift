// SPDX-License-Identifier: MIT
// Temporary values that expire with a real process, or by the real clock. Independent of how they shadow each other.

import Glibc
import Testing

struct LifetimeTests {
    private func watch(_ path: String, on daemon: DaemonUnderTest) throws -> LineConnection {
        let watcher = try daemon.connect()
        try watcher.send(
            #"{"id":1,"method":"subscribe","params":{"path":"\#(path)","initial":false,"origin":true}}"#
        )
        #expect(try watcher.readLine()?.contains(#""subscription":1"#) == true)
        return watcher
    }

    private func start(_ words: [String], on daemon: DaemonUnderTest) throws -> ChildProcess {
        let child = try ChildProcess(BuiltProducts.observectl, ["--socket", daemon.socket] + words)
        child.closeInput()
        try child.readLine(containing: "ready", from: .errors)
        return child
    }

    private func event(_ path: String, _ reason: String, _ new: String, _ origin: String, _ revision: Int)
        -> String
    {
        #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"\#(path)","reason":"\#(reason)","new":\#(new),"origin":\#(origin),"revision":\#(revision)}}"#
    }

    @Test(.timeLimit(.minutes(15)), arguments: [SIGKILL, SIGINT, SIGTERM])
    func `a killed client's temporary values expire at once`(signal: Int32) throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "app", #"{"busy":false}"#)
        let watcher = try watch("app.busy", on: daemon)
        let child = try start(
            ["set", "--lifetime", "connection", "--ready", "app.busy", "true"],
            on: daemon
        )
        let origin = #"{"pid":\#(child.pid),"uid":\#(geteuid())}"#
        #expect(try watcher.readLine() == event("app.busy", "valueChanged", "true", origin, 2))
        child.signal(signal)
        #expect(
            try watcher.readLine()
                == event("app.busy", "valueChanged", "false", #"{"lifetime":"connection"}"#, 3)
        )
        #expect(try child.wait() == .signalled(signal))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a published model goes with its client, even if the client subscribes to it`() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try watch("radio", on: daemon)
        // The values expire even if the client disconnects while events wait for it.
        var publisher = Optional(try daemon.connect())
        try publisher?.send(#"{"method":"subscribe","params":{"path":"radio.**"}}"#)
        let answer = try publisher.flatMap { publisher in
            try publisher.send(
                #"{"id":7,"method":"set","params":{"path":"radio","value":{"volume":3},"lifetime":"connection"}}"#
            )
            while let line = try publisher.readLine() {
                if line.contains(#""id":7"#) { return line }
            }
            return nil
        }
        #expect(answer == #"{"jsonrpc":"2.0","id":7,"result":{"revision":1,"changed":true}}"#)
        let origin = #"{"pid":\#(getpid()),"uid":\#(geteuid())}"#
        #expect(try watcher.readLine() == event("radio", "valueChanged", #"{"volume":3}"#, origin, 1))
        publisher?.close()
        publisher = nil
        #expect(
            try watcher.readLine()
                == event("radio", "sourceDeleted", "null", #"{"lifetime":"connection"}"#, 2)
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a timed value expires by the clock after its client disconnects`() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try watch("led", on: daemon)
        let set = try daemon.observectl("set", "--lifetime", "30ms", "led", "on")
        #expect(set == Finished(status: .exited(0), output: "", errors: ""))
        let first = try watcher.readLine()
        #expect(first?.contains(#""new":"on""#) == true)
        #expect(
            try watcher.readLine() == event("led", "sourceDeleted", "null", #"{"lifetime":30}"#, 2)
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `temporary values of several processes expire in any order`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "mode", "idle")
        let watcher = try watch("mode", on: daemon)
        func override(_ value: String) throws -> ChildProcess {
            try start(["set", "--lifetime", "connection", "--ready", "mode", value], on: daemon)
        }
        let (first, second, third) = (try override("a"), try override("b"), try override("c"))
        for value in ["a", "b", "c"] {
            #expect(try watcher.readLine()?.contains(#""new":"\#(value)""#) == true)
        }
        // A value in the middle expires without an event.
        second.signal(SIGKILL)
        #expect(try second.wait() == .signalled(SIGKILL))
        // Two disconnections in one batch may come in either order. The watcher, the first, the third and this client
        // remain.
        let asker = try daemon.connect()
        while try asker.ask(#"{"id":1,"method":"status"}"#)?.contains(#""connections":4,"#) != true {}
        third.signal(SIGKILL)
        #expect(try watcher.readLine()?.contains(#""new":"a""#) == true)
        first.signal(SIGKILL)
        #expect(try watcher.readLine()?.contains(#""new":"idle""#) == true)
    }
}
