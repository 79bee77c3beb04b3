// SPDX-License-Identifier: MIT
// Tests the helpers of these tests with programs that every Linux has.

import Glibc
import Testing

struct ChildProcessTests {
    @Test func `run returns a program's output, errors and status`() throws {
        let finished = try ChildProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(finished == Finished(status: .exited(3), output: "out\n", errors: "err\n"))
    }

    @Test func `run sends the input and closes it`() throws {
        #expect(try ChildProcess.run("cat", input: "hello").output == "hello")
    }

    @Test func `a program has only the test's environment`() throws {
        let command = ["-c", "echo $GREETING$HOME"]
        let finished = try ChildProcess.run("sh", command, environment: ["GREETING": "hi"])
        #expect(finished.output == "hi\n")
    }

    @Test func `run returns the number of the signal that ended a program`() throws {
        let child = try ChildProcess("cat")
        child.signal(SIGTERM)
        #expect(try child.wait() == .signalled(SIGTERM))
    }

    @Test func `readLine returns one line at a time, and the last without its line feed`() throws {
        let child = try ChildProcess("printf", ["a\nb\nc"])
        #expect(try child.readLine() == "a")
        #expect(try child.readLine() == "b")
        #expect(try child.readLine() == "c")
        #expect(try child.readLine() == nil)
        #expect(try child.wait() == .exited(0))
    }

    @Test func `waiting for a missing line fails at the deadline`() throws {
        let child = try ChildProcess("cat")
        #expect(throws: ProcessError.self) { _ = try child.readLine(within: .milliseconds(1)) }
        #expect(throws: ProcessError.self) { try child.wait(within: .milliseconds(1)) }
    }

    @Test func `closing a stream breaks the program's pipe`() throws {
        // The program writes repeatedly: another test's new program may hold the reading end for a moment.
        let child = try ChildProcess("sh", ["-c", "read line; while echo x; do :; done"])
        child.closeStream(.output)
        try child.send("go\n")
        #expect(try child.wait() == .signalled(SIGPIPE))
    }

    @Test func `starting a missing program is an error`() {
        #expect(throws: ProcessError.self) { try ChildProcess("/nowhere/nothing") }
    }
}
