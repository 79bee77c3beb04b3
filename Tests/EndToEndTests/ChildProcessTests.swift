// SPDX-License-Identifier: MIT
// Whether the helpers of these tests do what the tests rely on. Starts programs that every Linux has.

import Glibc
import Testing

struct ChildProcessTests {
    @Test func `a program's output, errors and status come back`() throws {
        let finished = try ChildProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(finished == Finished(status: .exited(3), output: "out\n", errors: "err\n"))
    }

    @Test func `input is sent and ended`() throws {
        #expect(try ChildProcess.run("cat", input: "hello").output == "hello")
    }

    @Test func `the environment is what the test says`() throws {
        let command = ["-c", "echo $GREETING$HOME"]
        let finished = try ChildProcess.run("sh", command, environment: ["GREETING": "hi"])
        #expect(finished.output == "hi\n")
    }

    @Test func `a signal's number comes back`() throws {
        let child = try ChildProcess("cat")
        child.signal(SIGTERM)
        #expect(try child.wait() == .signalled(SIGTERM))
    }

    @Test func `lines come one by one, the last without its line feed`() throws {
        let child = try ChildProcess("printf", ["a\nb\nc"])
        #expect(try child.readLine() == "a")
        #expect(try child.readLine() == "b")
        #expect(try child.readLine() == "c")
        #expect(try child.readLine() == nil)
        #expect(try child.wait() == .exited(0))
    }

    @Test func `waiting for what never comes fails at the deadline`() throws {
        let child = try ChildProcess("cat")
        #expect(throws: ProcessError.self) { _ = try child.readLine(within: .milliseconds(1)) }
        #expect(throws: ProcessError.self) { try child.wait(within: .milliseconds(1)) }
    }

    @Test func `a reader that goes away breaks the pipe`() throws {
        // It goes on: a program that another test is starting may hold the reading end for a moment.
        let child = try ChildProcess("sh", ["-c", "read line; while echo x; do :; done"])
        child.closeStream(.output)
        try child.send("go\n")
        #expect(try child.wait() == .signalled(SIGPIPE))
    }

    @Test func `a program that is not there is an error`() {
        #expect(throws: ProcessError.self) { try ChildProcess("/nowhere/nothing") }
    }
}
