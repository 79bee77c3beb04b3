// SPDX-License-Identifier: MIT
// `load` of several clients; `pipe` and `hold` with full pipes, readers that sleep, and many quick changes, as real processes.

import Glibc
import Testing

struct LoadTests {
    private static let changes = many(10_000, usually: 3_000)

    private func start(_ words: [String], on daemon: DaemonUnderTest) throws -> ChildProcess {
        try ChildProcess(BuiltProducts.observectl, ["--socket", daemon.socket] + words)
    }

    /// Sets a path to 1, 2, … without waiting, then reads all answers.
    private func change(_ path: String, by writer: LineConnection, padding: String = "") throws {
        for start in stride(from: 1, through: LoadTests.changes, by: 1000) {
            let lines = (start..<start + 1000).map {
                let value = padding.isEmpty ? "\($0)" : "[\($0),\"\(padding)\"]"
                return #"{"id":\#($0),"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#
            }
            try writer.send(lines.joined(separator: "\n"))
            for _ in lines { #expect(try writer.readLine()?.contains(#""changed":true"#) == true) }
        }
    }

    /// The number after `"new":` and a bracket.
    private func value(_ line: String) -> Int? {
        let rest = line.split(separator: #""new":"#).dropFirst().first
        return rest.flatMap { Int($0.drop { $0 == "[" }.prefix { $0.isNumber }) }
    }

    // MARK: load

    @Test(.timeLimit(.minutes(15)))
    func `loads of several clients at once are all answered`() throws {
        let daemon = try DaemonUnderTest()
        let clients = try (0..<4).map { _ in try daemon.connect() }
        let count = many(200_000, usually: 50_000)
        let numbers = String(repeating: "1,", count: count)
        for (index, client) in clients.enumerated() {
            try client.send(
                #"{"id":1,"method":"load","params":{"path":"n\#(index)","text":"[\#(numbers)1]"}}"#
            )
        }
        for client in clients {
            #expect(try client.readLine()?.contains(#""id":1,"result":"#) == true)
        }
        #expect(try daemon.observectl("get", "n3.@count").output == "\(count + 1)\n")
    }

    // MARK: pipe

    @Test(.timeLimit(.minutes(15)))
    func `pipe answers as many requests as come at once, in their order`() throws {
        let daemon = try DaemonUnderTest()
        let numbers = 1...LoadTests.changes
        let requests = numbers.map { #"{"id":\#($0),"method":"increment","params":{"path":"n"}}"# }
        _ = try daemon.observectl("set", "n", "0")
        try daemon.directory.write(requests.joined(separator: "\n"), to: "requests")
        let finished = try ChildProcess.run(
            "sh",
            ["-c", #""$0" --socket "$1" pipe < "$2""#, BuiltProducts.observectl, daemon.socket]
                + [daemon.directory.path("requests")]
        )
        #expect(finished.status == .exited(0))
        #expect(finished.errors.isEmpty)
        let answers = numbers.map {
            #"{"jsonrpc":"2.0","id":\#($0),"result":{"revision":\#($0 + 1),"changed":true,"value":\#($0)}}"#
        }
        let lines = finished.output.split(separator: "\n").map(String.init)
        #expect(lines.count == answers.count)
        #expect(zip(lines, answers).first { $0 != $1 } == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a sleeping reader of pipe delays nothing else, and gets the last value`() throws {
        let daemon = try DaemonUnderTest()
        let child = try start(["pipe"], on: daemon)
        try child.send(#"{"id":1,"method":"subscribe","params":{"path":"n","initial":false}}"# + "\n")
        #expect(try child.readLine()?.contains(#""subscription":1"#) == true)
        try change("n", by: try daemon.connect(), padding: String(repeating: "x", count: 1000))
        var values: [Int] = []
        while values.last != LoadTests.changes {
            values.append(try #require(try child.readLine().flatMap(value)))
        }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        #expect(values.count < LoadTests.changes)
        // The input of the pipe works as before.
        try child.send(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"# + "\n")
        #expect(try child.readLine() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
        child.closeInput()
        #expect(try child.finish() == Finished(status: .exited(0), output: "", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a sleeping reader of pipe gets every change under "delivery": "every"`() throws {
        let daemon = try DaemonUnderTest()
        let child = try start(["pipe"], on: daemon)
        let params = #"{"path":"n","initial":false,"delivery":"every"}"#
        try child.send(#"{"id":1,"method":"subscribe","params":\#(params)}"# + "\n")
        #expect(try child.readLine()?.contains(#""subscription":1"#) == true)
        try change("n", by: try daemon.connect())
        var values: [Int] = []
        for _ in 1...LoadTests.changes {
            values.append(try #require(try child.readLine().flatMap(value)))
        }
        #expect(values == Array(1...LoadTests.changes))
    }

    // MARK: hold

    @Test(.timeLimit(.minutes(15)))
    func `a held value lasts through quick changes beside it, and a full pipe of its command`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "app", #"{"volume":50,"position":0}"#)
        let count = many(200_000, usually: 50_000)
        let command = "echo started >&2; seq 1 \(count); exit 3"
        let child = try start(["hold", "app.volume", "10", "--", "sh", "-c", command], on: daemon)
        #expect(try child.readLine(.errors) == "started")
        try change("app.position", by: try daemon.connect())
        // The command waits for the reader of its output.
        #expect(try daemon.observectl("get", "app.volume").output == "10\n")
        let finished = try child.finish()
        #expect(finished.status == .exited(3))
        #expect(finished.output == (1...count).map { "\($0)\n" }.joined())
        #expect(
            try daemon.observectl("get", "app").output
                == "{\"volume\":50,\"position\":\(LoadTests.changes)}\n"
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `of many holds at once none leaves its value`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "n", "0")
        let holds = try (1...30).map { number in
            let child = try start(
                ["hold", "n", "\(number)", "--", "sh", "-c", "echo held; read line"],
                on: daemon
            )
            #expect(try child.readLine() == "held")
            return child
        }
        #expect(try daemon.observectl("get", "n").output == "30\n")
        for (index, child) in holds.enumerated() where index % 3 != 0 { child.closeInput() }
        for (index, child) in holds.enumerated() where index % 3 == 0 { child.signal(SIGKILL) }
        for (index, child) in holds.enumerated() {
            #expect(try child.wait() == (index % 3 == 0 ? .signalled(SIGKILL) : .exited(1)))
        }
        #expect(try daemon.observectl("wait", "n", "=", "0").status == .exited(0))
    }
}
