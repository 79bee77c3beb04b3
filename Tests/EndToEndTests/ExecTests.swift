// SPDX-License-Identifier: MIT
// The real `observectl exec`: its runs, its signals, and the last change of many.

import Glibc
import Testing

struct ExecTests {
    private func exec(_ daemon: DaemonUnderTest, _ arguments: String...) throws -> ChildProcess {
        let child = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "exec", "--ready"] + arguments,
            environment: ["OBSERVED_OLD": "of the test"]
        )
        #expect(try child.readLine(.errors) == "ready")
        return child
    }

    @Test(.timeLimit(.minutes(15)))
    func `the command gets the frame and the variables of its first path`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "light", #"{"state":"off","level":1}"#)
        let script = #"echo "$OBSERVED_PATH=$OBSERVED_VALUE,${OBSERVED_OLD-unset}"; cat"#
        let child = try exec(daemon, "light.state", "light.level", "--initial", "--", "sh", "-c", script)
        #expect(try child.readLine() == "light.state=off,unset")
        #expect(
            try child.readLine()
                == #"{"subscription":1,"path":"light.state","reason":"initial","new":"off","revision":1,"more":true}"#
        )
        #expect(
            try child.readLine()
                == #"{"subscription":1,"path":"light.level","reason":"initial","new":1,"revision":1}"#
        )
        _ = try daemon.observectl("set", "light.state", "two\nlines")
        #expect(try child.readLine() == "light.state=two")
        #expect(try child.readLine() == "lines,off")
        #expect(try child.readLine()?.contains(#""new":"two\nlines","old":"off""#) == true)
    }

    @Test(.timeLimit(.minutes(15)))
    func `with --debounce the command runs once nothing changes, for all changes together`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "site", #"{"a":0,"b":0}"#)
        let script = #"echo "run"; cat; echo "end""#
        let child = try exec(daemon, "--debounce", "3s", "site.*", "--", "sh", "-c", script)
        let writer = try daemon.connect()
        for value in 1...20 {
            for name in ["a", "b"] {
                try writer.send(
                    #"{"id":1,"method":"set","params":{"path":"site.\#(name)","value":\#(value)}}"#
                )
                _ = try writer.readLine()
            }
        }
        var lines: [String] = []
        while lines.last != "end" { lines.append(try #require(try child.readLine())) }
        #expect(lines.count == 4 && lines.first == "run", "\(lines)")
        #expect(lines[1].contains(#""path":"site.a""#) && lines[1].contains(#""new":20"#))
        #expect(lines[2].contains(#""path":"site.b""#) && lines[2].contains(#""new":20"#))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the last of many changes is never missed, and one command runs at a time`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "n", "0")
        let lock = daemon.directory.path("lock")
        // A second command at the same time would not get the lock.
        let script = #"mkdir "$0" || echo overlap; echo "$OBSERVED_VALUE"; rmdir "$0""#
        let child = try exec(daemon, "n", "--", "sh", "-c", script, lock)
        let writer = try daemon.connect()
        let count = many(50_000, usually: 10_000)
        for start in stride(from: 1, through: count, by: 1000) {
            var lines = ""
            for value in start..<start + 1000 {
                lines += #"{"method":"set","params":{"path":"n","value":\#(value)}}"# + "\n"
            }
            try writer.send(bytes: Array(lines.utf8))
        }
        var last = 0
        while last != count {
            let value = try #require(try child.readLine().flatMap(Int.init))
            #expect(value > last)
            last = value
        }
        child.signal(SIGTERM)
        #expect(try child.finish().status == .signalled(SIGTERM))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a change waits for a program that is missing when it comes`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "n", "0")
        let program = daemon.directory.path("program")
        func install() throws {
            let script =
                #"printf '#!/bin/sh\necho "$OBSERVED_VALUE"\n' >"$0.new"; chmod +x "$0.new"; mv "$0.new" "$0""#
            #expect(try ChildProcess.run("sh", ["-c", script, program]).status == .exited(0))
        }
        try install()
        let child = try exec(daemon, "n", "--", program)
        _ = try daemon.observectl("set", "n", "1")
        #expect(try child.readLine() == "1")
        #expect(unsafe unlink(program) == 0)
        _ = try daemon.observectl("set", "n", "2")
        try child.readLine(containing: "program", from: .errors)
        try install()
        #expect(try child.readLine() == "2")
    }

    @Test(.timeLimit(.minutes(15)))
    func `values that an environment can't hold are left out`() throws {
        let daemon = try DaemonUnderTest()
        let script = #"echo "${OBSERVED_VALUE-unset} ${OBSERVED_OLD-unset} $(wc -c)""#
        let child = try exec(daemon, "text", "--", "sh", "-c", script)
        _ = try daemon.observectl("set", "text", #""a\u0000b""#)
        #expect(try child.readLine()?.hasPrefix("unset null ") == true)
        let long = String(repeating: "x", count: 200_000)
        _ = try daemon.observectl("set", "text", "-", input: long)
        let line = try #require(try child.readLine())
        #expect(line.hasPrefix("unset unset 2000"), "\(line)")
    }

    @Test(.timeLimit(.minutes(15)))
    func `--restart ends the running command at a change`() throws {
        let daemon = try DaemonUnderTest()
        let script =
            #"sleep 1000 & trap 'echo "end $OBSERVED_VALUE"; kill $!; exit 3' TERM; echo "begin $OBSERVED_VALUE"; wait"#
        let child = try exec(daemon, "n", "--restart", "--on-fail", "stop", "--", "sh", "-c", script)
        _ = try daemon.observectl("set", "n", "1")
        #expect(try child.readLine() == "begin 1")
        _ = try daemon.observectl("set", "n", "2")
        #expect(try child.readLine() == "end 1")
        #expect(try child.readLine() == "begin 2")
        child.signal(SIGTERM)
        #expect(try child.finish() == Finished(status: .signalled(SIGTERM), output: "end 2\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `--on-fail stop ends exec as its command ended`() throws {
        let daemon = try DaemonUnderTest()
        let stopping = try exec(daemon, "n", "--on-fail=stop", "--", "sh", "-c", "exit $OBSERVED_VALUE")
        let continuing = try exec(daemon, "n", "--", "sh", "-c", "echo $OBSERVED_VALUE; exit $OBSERVED_VALUE")
        for value in ["0", "3"] {
            _ = try daemon.observectl("set", "n", value)
            #expect(try continuing.readLine() == value)
        }
        #expect(try stopping.finish().status == .exited(3))
        _ = try daemon.observectl("set", "n", "4")
        #expect(try continuing.readLine() == "4")
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("/nowhere/nothing", 127, ""), ("/etc/passwd", 126, ""),
            ("echo it's", 127, #"; a COMMAND is several words, or: sh -c 'echo it'\''s'"#),
        ] as [(String, Int32, String)]
    )
    func `a command that can't be executed ends exec at its first run`(
        program: String,
        status: Int32,
        advice: String
    ) throws {
        let daemon = try DaemonUnderTest()
        let child = try exec(daemon, "n", "--", program)
        _ = try daemon.observectl("set", "n", "1")
        let finished = try child.finish()
        #expect(finished.status == .exited(status))
        #expect(finished.errors.hasPrefix("observectl: \(program): exec failed for \(program): "))
        #expect(finished.errors.hasSuffix("\(advice)\n"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a signal reaches the command, and ends exec after it`() throws {
        let daemon = try DaemonUnderTest()
        let script =
            #"trap 'echo usr1' USR1; trap 'echo over; exit 0' TERM; echo begin; while :; do sleep 0.01; done"#
        let child = try exec(daemon, "n", "--", "sh", "-c", script)
        _ = try daemon.observectl("set", "n", "1")
        #expect(try child.readLine() == "begin")
        child.signal(SIGUSR1)
        #expect(try child.readLine() == "usr1")
        child.signal(SIGTERM)
        #expect(try child.finish() == Finished(status: .signalled(SIGTERM), output: "over\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the command dies with exec, also under SIGKILL`() throws {
        let daemon = try DaemonUnderTest()
        let child = try exec(daemon, "n", "--", "sh", "-c", "echo begin; exec sleep 1000")
        _ = try daemon.observectl("set", "n", "1")
        #expect(try child.readLine() == "begin")
        child.signal(SIGKILL)
        // The end of all processes that hold its streams.
        #expect(try child.finish().status == .signalled(SIGKILL))
    }

    @Test(.timeLimit(.minutes(15)), arguments: [["exec", "n"], ["hold", "n", "1"]])
    func `under SIGKILL, what the command started continues, unless setpriv binds it to the command`(
        words: [String]
    ) throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "n", "0")
        let fifo = daemon.directory.path("fifo")
        #expect(unsafe mkfifo(fifo, 0o600) == 0)
        let command = """
            (echo free; cat \(fifo)) &
            setpriv --pdeathsig KILL sh -c 'echo bound; exec sleep 1000' &
            wait
            """
        let options = words[0] == "exec" ? ["--initial"] : []
        let child = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket] + words[..<1] + options + words[1...] + ["--", "sh", "-c", command]
        )
        let lines = [try child.readLine(), try child.readLine()]
        #expect(Set(lines) == ["free", "bound"])
        child.signal(SIGKILL)
        #expect(try daemon.observectl("wait", "n", "=", "0").status == .exited(0))
        let writing = unsafe open(fifo, O_WRONLY)
        #expect(unsafe write(writing, "late\n", 5) == 5)
        close(writing)
        // The end of all processes that hold its streams: also of the bound one.
        #expect(try child.finish() == Finished(status: .signalled(SIGKILL), output: "late\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the end of its reader ends exec and the command`() throws {
        let daemon = try DaemonUnderTest()
        let child = try exec(daemon, "n", "--", "sh", "-c", "echo begin; exec sleep 1000")
        _ = try daemon.observectl("set", "n", "1")
        #expect(try child.readLine() == "begin")
        child.closeStream(.output)
        #expect(try child.wait() == .signalled(SIGPIPE))
    }

    @Test(.timeLimit(.minutes(15)))
    func `exec continues after a restart of the daemon`() throws {
        let daemon = try DaemonUnderTest()
        let child = try exec(daemon, "n", "--", "sh", "-c", "echo $OBSERVED_VALUE")
        #expect(try daemon.stop(SIGKILL).status == .signalled(SIGKILL))
        #expect(try child.readLine(.errors) == "observectl: the daemon has gone; waiting for it")
        let next = try DaemonUnderTest(at: daemon)
        #expect(try child.readLine(.errors) == "observectl: the daemon is back")
        _ = try next.observectl("set", "n", "7")
        var line = try child.readLine()
        if line == "null" { line = try child.readLine() }
        #expect(line == "7")
    }
}
