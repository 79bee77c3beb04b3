// SPDX-License-Identifier: MIT
// Commands as children: their ends, input, variables, and failures to start.

import Testing

@testable import ObserveCore

struct ChildProcessTests {
    /// Waits for the end of a command.
    private func end(_ child: ChildProcess) throws -> ChildProcess.End {
        let ready = Poll.wait(for: [(child.number, .readable)], until: .now.adding(milliseconds: 30_000))
        #expect(ready == [.readable])
        return try #require(child.end())
    }

    @Test(
        arguments: [
            ("exit 0", .exited(0)), ("exit 255", .exited(255)), ("kill -TERM $$", .signalled(15)),
        ] as [(String, ChildProcess.End)]
    )
    func `a command ends with its status or signal`(script: String, expected: ChildProcess.End) throws {
        let child = try ChildProcess(["sh", "-c", script])
        #expect(try end(child) == expected)
        #expect(child.end() == expected)
    }

    @Test func `a command reads its input and its variables`() throws {
        let input = try MemoryFile(Array("one line\n".utf8), name: "input")
        let script =
            #"read line; [ "$line" = "one line" ] && [ "$GREETING" = "hi  there" ] && [ -z "$PATH" ]"#
        let child = try ChildProcess(
            ["/bin/sh", "-c", "set -f; \(script)"],
            streams: [input.number],
            variables: ["GREETING": "hi  there", "PATH": ""]
        )
        #expect(try end(child) == .exited(0))
    }

    @Test func `a signal reaches a running command`() throws {
        let child = try ChildProcess(["sleep", "1000"])
        #expect(child.end() == nil)
        child.signal(15)
        #expect(try end(child) == .signalled(15))
        child.signal(15)
    }

    @Test func `a missing program and one without permission are told apart`() {
        #expect(throws: SocketError.systemCall("exec", path: "/nowhere/nothing", code: 2)) {
            try ChildProcess(["/nowhere/nothing"])
        }
        #expect(throws: SocketError.systemCall("exec", path: "/etc/passwd", code: 13)) {
            try ChildProcess(["/etc/passwd"])
        }
        #expect(SocketError.systemCall("exec", path: "x", code: 2).isMissingProgram)
        #expect(!SocketError.systemCall("exec", path: "x", code: 13).isMissingProgram)
    }
}
