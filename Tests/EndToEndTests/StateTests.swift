// SPDX-License-Identifier: MIT
// The real daemon with state on a real disk: ended, killed, started twice. Independent of the files' format.

import Glibc
import ObserveCore
import Testing

struct StateTests {
    @Test(.timeLimit(.minutes(15)))
    func `values survive an end and a kill, and since continues over both`() throws {
        let state = try KeptState("interval")
        var daemon = try state.start()
        #expect(try daemon.observectl("set", "app", #"{"a":{"n":1},"list":[1]}"#).status == .exited(0))
        #expect(try daemon.observectl("link", "app.b", "app.a").status == .exited(0))
        let connection = try daemon.connect()
        let first = try #require(
            try connection.ask(#"{"id":1,"method":"subscribe","params":{"path":"app.list"}}"#)
        )
        let epoch = try #require(Value(json: first)["result"]?["epoch"]?.string)
        _ = try connection.readLine()
        #expect(try daemon.stop().status == .exited(0))
        daemon = try state.start()
        #expect(try daemon.observectl("insert", "app.list", "2").status == .exited(0))
        daemon.process.signal(SIGKILL)
        try daemon.process.wait()
        daemon = try state.start()
        #expect(try daemon.observectl("set", "app.b.n", "5").status == .exited(0))
        #expect(
            try daemon.observectl("get", "app").output == #"{"a":{"n":5},"list":[1,2],"b":{"n":5}}"# + "\n"
        )
        let again = try daemon.connect()
        let since = #"{"epoch":"\#(epoch)","revision":2}"#
        let request = #"{"id":1,"method":"subscribe","params":{"path":"app.list","since":\#(since)}}"#
        #expect(try again.ask(request)?.contains(#""resumed":true,"replayed":1"#) == true)
        let event = try #require(try again.readLine())
        let params = try #require(try Value(json: event)["params"])
        #expect(params["kind"] == "insertion")
        #expect(params["indexes"] == [1])
        #expect(params["new"] == [2])
    }

    @Test(.timeLimit(.minutes(15)))
    func `only the owner may read the state, and only one daemon may use it`() throws {
        let state = try KeptState("commit")
        let daemon = try state.start()
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
        #expect(permissions(state.folder) == 0o700)
        #expect(permissions(state.folder + "/journal-1") == 0o600)
        let arguments = [
            "--socket", state.directory.path("2.sock"), "--config", "none", "--state", state.folder,
        ]
        let second = try ChildProcess.run(BuiltProducts.observed, arguments)
        #expect(second.status == .exited(1))
        #expect(second.errors.contains("another daemon keeps its state in \(state.folder)"))
        #expect(try daemon.observectl("get", "a").output == "1\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a damaged file ends the start with a sentence`() throws {
        let state = try KeptState("interval")
        var daemon = try state.start()
        for n in 1...3 { #expect(try daemon.observectl("set", "a", "\(n)").status == .exited(0)) }
        #expect(try daemon.stop().status == .exited(0))
        let journal = state.folder + "/journal-1"
        let text = try readText(journal)
        let spoilt = text.split(separator: "\"a\",2").joined(separator: "\"a\",7")
        try state.directory.write(spoilt, to: "state/journal-1")
        let arguments = ["--socket", state.socket, "--config", "none", "--state", state.folder]
        let refused = try ChildProcess.run(BuiltProducts.observed, arguments)
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("journal-1 is damaged in line 3, at byte "))
        try state.directory.write(String(text.dropLast(5)), to: "state/journal-1")
        daemon = try state.start()
        #expect(try daemon.observectl("get", "a").output == "3\n")
    }

    /// No byte of an acknowledged commit is cut off in silence: `since` would miss it.
    @Test(.timeLimit(.minutes(15)))
    func `a changed byte in the last acknowledged commit ends the start, which says how to salvage the rest`()
        throws
    {
        let state = try KeptState("commit")
        var daemon = try state.start()
        for n in 1...3 { #expect(try daemon.observectl("set", "a", "\(n)").status == .exited(0)) }
        let epoch = try #require(try daemon.connect().epoch())
        daemon.process.signal(SIGKILL)
        try daemon.process.wait()
        let journal = state.folder + "/journal-1"
        let changed = try ChildProcess.run("sed", ["-i", "s/\"a\",3/\"a\",4/", journal])
        try #require(changed.status == .exited(0))
        let damaged = try readText(journal)
        let arguments = ["--socket", state.socket, "--config", state.configuration, "--state", state.folder]
        let refused = try ChildProcess.run(BuiltProducts.observed, arguments)
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("journal-1 is damaged in line "), "\(refused.errors)")
        #expect(refused.errors.contains("start once with --salvage to keep the commits before it"))
        #expect(try readText(journal) == damaged)
        daemon = try DaemonUnderTest(
            in: state.directory,
            arguments.dropFirst(2) + ["--salvage"],
            logging: ["journal-1 is damaged in line ", "a new epoch begins"]
        )
        #expect(try daemon.observectl("get", "a").output == "2\n")
        #expect(try daemon.connect().epoch() != epoch)
        let list = try ChildProcess.run("sh", ["-c", "cat \(journal).damaged-at-*"])
        #expect(list.output == damaged)
        #expect(try daemon.stop().status == .exited(0))
        daemon = try state.start()
        #expect(try daemon.observectl("get", "a").output == "2\n")
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["0777", "0700", "0277", "0"])
    func `the modes of files do not depend on the umask`(umask: String) throws {
        let state = try KeptState("commit")
        func start() throws -> ChildProcess {
            let process = try ChildProcess(
                "/bin/sh",
                [
                    "-c", "umask \(umask); exec \"$0\" \"$@\"", BuiltProducts.observed, "--socket",
                    state.socket,
                    "--config", state.configuration, "--state", state.folder + "/in",
                ]
            )
            try process.readLine(containing: "ready on", from: .errors)
            return process
        }
        for _ in 1...2 {
            let process = try start()
            for folder in [state.folder, state.folder + "/in"] { #expect(permissions(folder) == 0o700) }
            for name in ["lock", "journal-1"] { #expect(permissions(state.folder + "/in/" + name) == 0o600) }
            #expect(permissions(state.socket) == 0o600)
            process.signal(SIGTERM)
            #expect(try process.finish().status == .exited(0))
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["commit", "none"])
    func `a folder without its lock is still in use`(durability: String) throws {
        let state = try KeptState(durability)
        let daemon = try state.start()
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
        let arguments = [
            "--socket", state.directory.path("2.sock"), "--config", "none", "--state", state.folder,
        ]
        for _ in 1...2 {
            #expect(unsafe unlink(state.folder + "/lock") == 0)
            let second = try ChildProcess.run(BuiltProducts.observed, arguments)
            #expect(second.status == .exited(1))
            #expect(second.errors.contains("another daemon keeps its state in \(state.folder)"))
        }
        #expect(try daemon.observectl("set", "a", "2").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        #expect(try state.start().observectl("get", "a").output == "2\n")
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: ["lock", "snapshot", "journal-1"],
        ["pipe", "folder", "socket"]
    )
    func `a file of the state that is not regular ends the start`(name: String, kind: String) throws {
        let state = try KeptState("commit")
        var daemon = try state.start()
        #expect(try daemon.stop().status == .exited(0))
        let path = state.folder + "/" + name
        _ = unsafe unlink(path)
        switch kind {
        case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
        case "folder": #expect(unsafe mkdir(path, 0o700) == 0)
        default:
            try #require(try ChildProcess.run("python3", ["-c", OddFile.socket, path]).status == .exited(0))
        }
        let arguments = ["--socket", state.socket, "--config", state.configuration, "--state", state.folder]
        let refused = try ChildProcess.run(BuiltProducts.observed, arguments)
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("\(path) is not a regular file"), "\(refused.errors)")
        let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-state"] + arguments)
        #expect(checked.status == .exited(1))
        #expect(checked.errors.contains("\(path) is not a regular file"), "\(checked.errors)")
        try #require(unsafe remove(path) == 0)
        if name != "journal-1" { daemon = try state.start() }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a check reads the files that a start reads, as a start does`() throws {
        let state = try KeptState("interval")
        let daemon = try state.start()
        #expect(try daemon.stop().status == .exited(0))
        let arguments = ["--socket", state.socket, "--config", state.configuration, "--state", state.folder]
        try #require(unsafe mkdir(state.folder + "/backup", 0o700) == 0)
        try #require(unsafe symlink("nowhere", state.folder + "/link") == 0)
        #expect(
            try ChildProcess.run(BuiltProducts.observed, ["--check-state"] + arguments)
                == Finished(status: .exited(0), output: "", errors: "")
        )
        #expect(try state.start().stop().status == .exited(0))
        let journal = state.folder + "/journal-1"
        try #require(unsafe rename(journal, state.folder + "/moved") == 0)
        try #require(unsafe symlink("moved", journal) == 0)
        let refused = try ChildProcess.run(BuiltProducts.observed, arguments)
        let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-state"] + arguments)
        for run in [refused, checked] {
            #expect(run.status == .exited(1))
            #expect(run.errors.contains("open failed for \(journal)"), "\(run.errors)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `while a file may not grow the daemon refuses only writes, with 8`() throws {
        let state = try KeptState("interval")
        // The shell's units are 512 or 1,024 bytes.
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", "ulimit -f 8; exec \"$0\" \"$@\"", BuiltProducts.observed, "--socket", state.socket,
                "--config", state.configuration, "--state", state.folder,
            ]
        )
        try process.readLine(containing: "ready on", from: .errors)
        let connection = try LineConnection(path: state.socket)
        var last = 0
        var refusal: String?
        for n in 1...400 where refusal == nil {
            let request = #"{"id":\#(n),"method":"set","params":{"path":"a","value":[\#(n),"some text"]}}"#
            let answer = try #require(try connection.ask(request))
            if answer.contains("\"error\"") { refusal = answer } else { last = n }
        }
        #expect(refusal?.contains(#""code":8,"#) == true)
        #expect(refusal?.contains(#""name":"unavailable""#) == true)
        #expect(
            try connection.ask(#"{"id":1,"method":"get","params":{"path":"a.0"}}"#)?.contains(
                "\"value\":\(last),"
            ) == true
        )
        process.signal(SIGKILL)
        try process.wait()
        let daemon = try state.start()
        #expect(try daemon.observectl("get", "a.0").output == "\(last)\n")
        #expect(try daemon.observectl("set", "a", "1").status == .exited(0))
    }

    private func permissions(_ path: String) -> UInt32 {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return 0 }
        return status.st_mode & 0o7777
    }
}

enum OddFile {
    /// A program that makes a socket.
    static let socket = "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
}

extension LineConnection {
    /// The name of the daemon's history.
    func epoch() throws -> String? {
        let answer = try ask(#"{"id":1,"method":"subscribe","params":{"path":"a","initial":false}}"#)
        return try answer.flatMap { try Value(json: $0)["result"]?["epoch"]?.string }
    }
}

/// A state folder that outlives its daemons.
final class KeptState {
    let directory: TemporaryDirectory
    let configuration: String
    private let durability: String
    var folder: String { directory.path("state") }
    var socket: String { directory.path("observed.sock") }

    init(_ durability: String) throws {
        directory = try TemporaryDirectory()
        self.durability = durability
        configuration = directory.path("observed.json")
        try writeConfiguration()
    }

    func writeConfiguration() throws {
        _ = try directory.write(#"{"journal":{"durability":"\#(durability)"}}"#, to: "observed.json")
    }

    func start(environment: [String: String] = [:], logging sentences: [String] = []) throws
        -> DaemonUnderTest
    {
        let arguments = ["--config", configuration, "--state", folder]
        return try DaemonUnderTest(in: directory, arguments, environment: environment, logging: sentences)
    }
}
