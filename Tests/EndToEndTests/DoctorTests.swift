// SPDX-License-Identifier: MIT
// `observectl init` and `observectl doctor` in the home of a new user. Independent of a service manager.

import Glibc
import ObserveCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct DoctorTests {
    @Test func `init writes a configuration that is valid, and prints commands`() throws {
        let home = try Home()
        let first = try home.run("observectl init")
        let file = home.directory.path("config/observed/observed.json")
        #expect(first.status == .exited(0))
        #expect(first.errors == "observectl: wrote \(file)\n")
        #expect(
            first.output == """
                observed &
                observectl subscribe app.volume &
                observectl wait app.volume && observectl set app.volume 60

                """
        )
        #expect(try home.run("observed --check-config '\(file)'").status == .exited(0))
    }

    @Test func `init does not overwrite, and names the file`() throws {
        let home = try Home()
        #expect(try home.run("observectl init").status == .exited(0))
        let file = home.directory.path("config/observed/observed.json")
        try home.directory.write("mine", to: "config/observed/observed.json")
        let second = try home.run("observectl init")
        #expect(second.status == .exited(1))
        #expect(second.output.isEmpty)
        #expect(second.errors == "observectl: \(file) exists; it was left as it is\n")
        #expect(try readText(file) == "mine")
    }

    @Test(arguments: ["HOME=", "unset HOME;", "HOME=home"])
    func `without a home, init writes nothing, and says what to set`(line: String) throws {
        let home = try Home()
        let run = try home.run("unset XDG_CONFIG_HOME; export HOME; \(line) observectl init")
        #expect(run.status == .exited(1))
        #expect(run.output.isEmpty)
        let fault = "neither HOME nor XDG_CONFIG_HOME names a folder for the configuration"
        #expect(run.errors == "observectl: \(fault): set HOME to the path of your home folder\n")
    }

    @Test(arguments: [false, true])
    func `the commands lead to an event, also if they are pasted together`(isRunning: Bool) throws {
        let home = try Home()
        let daemon = isRunning ? try home.start() : nil
        let commands = try home.run("observectl init").output
        if let daemon { #expect(commands.hasPrefix("kill -HUP \(daemon.pid)\n")) }
        let shell = try ChildProcess("sh", environment: home.environment)
        let lines = commands.split(separator: "\n")
        try #require(lines.count == 3)
        try shell.send("\(lines[0])\na=$!\n\(lines[1])\nb=$!\n\(lines[2])\n")
        try shell.readLine(containing: #""new":60"#)
        try shell.send("kill $a $b\nexit\n")
        try shell.wait()
        daemon?.signal(SIGTERM)
        try daemon?.wait()
    }

    @Test func `init names a daemon that does not read its configuration`() throws {
        for others in [(["--config", "none"], [:]), ([], ["XDG_CONFIG_HOME": "/nowhere"])] {
            let home = try Home()
            let daemon = try home.start(others.0, others.1)
            let run = try home.run("observectl init")
            #expect(run.output.hasPrefix("observed &\n"))
            let sentence = "process \(daemon.pid) serves another configuration; end it first\n"
            #expect(run.errors.hasSuffix("observectl: \(sentence)"))
            daemon.signal(SIGTERM)
            try daemon.wait()
        }
    }

    @Test func `with units, the first command makes a service`() throws {
        let home = try Home()
        try home.installUnits()
        let lines = try home.run("observectl init").output.split(separator: "\n")
        #expect(lines.dropFirst().first == "observectl subscribe app.volume &")
        #expect(lines.first == "systemctl --user enable --now observed.socket")
        let finding = try #require(try home.faults().first { $0["part"] == "socket" })
        #expect(finding["command"] == "systemctl --user enable --now observed.socket")
    }

    @Test func `doctor finds nothing wrong where all is well, and changes nothing`() throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let daemon = try home.start()
        let before = try home.run("cd ..; find . -type f -exec cksum {} + -o -printf '%p %m\\n' | sort")
        let doctor = try home.run("observectl doctor")
        #expect(doctor.status == .exited(0))
        #expect(doctor.errors.isEmpty)
        let findings = try doctor.output.split(separator: "\n").map { try Value(json: String($0)) }
        #expect(
            findings.compactMap { $0["part"]?.string } == [
                "socket", "unit", "configuration", "state", "versions", "permissions",
            ]
        )
        for finding in findings { #expect(finding["well"] == .bool(true) && finding["command"] == nil) }
        let after = try home.run("cd ..; find . -type f -exec cksum {} + -o -printf '%p %m\\n' | sort")
        #expect(before == after)
        daemon.signal(SIGTERM)
        #expect(try daemon.finish().status == .exited(0))
        // Also when it checks a state that no daemon uses.
        let ended = try home.run("cd ..; find . -type f -exec cksum {} + -o -printf '%p %m\\n' | sort")
        #expect(try home.faults().map { $0["command"] } == ["observed &"])
        #expect(try home.run("cd ..; find . -type f -exec cksum {} + -o -printf '%p %m\\n' | sort") == ended)
    }

    /// A fault of a home with a configuration and a state.
    enum Fault: String, CaseIterable {
        case configuration = #"printf '{ "modles": {} }' > config/observed/observed.json"#
        case sharedConfiguration = "chmod 666 config/observed/observed.json"
        case sharedSocketFolder = "chmod 777 run"
        case sharedState = "chmod 777 state/observed"
        case damagedState = "printf 'x' > state/observed/journal-1"
        case damagedLine = "sed -i 's/volume/Volume/' state/observed/journal-1"
        case types = #"printf '{ "models": { "app": { "type": "Int" } } }' > config/observed/observed.json"#
        case missingFolder = "rm -r run"
        case openConfigurationFolder = "chmod 777 config/observed"
        case openStateFolder = "chmod 777 state"
        case linkToSharedState = "mv state/observed kept; ln -s ../kept state/observed; chmod 777 kept"
        case deadConfiguration =
            "rm config/observed/observed.json; ln -s nowhere config/observed/observed.json"
        case deadState = "rm -r state/observed; ln -s nowhere state/observed"
        case oddLock = "rm state/observed/lock; mkfifo state/observed/lock"
        case configurationFolder =
            "rm config/observed/observed.json; mkdir config/observed/observed.json"
        case pipeAsConfiguration =
            "rm config/observed/observed.json; mkfifo config/observed/observed.json"
        case fileAsState = "rm -r state/observed; touch state/observed"
        case fileAsStateHome = "rm -r state; touch state"

        var part: String {
            switch self {
            case .configuration, .deadConfiguration, .configurationFolder, .pipeAsConfiguration:
                "configuration"
            case .damagedState, .damagedLine, .types, .deadState, .oddLock, .fileAsState: "state"
            default: "permissions"
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `the command that doctor names mends the fault`(fault: Fault) throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let daemon = try home.start()
        #expect(try home.run("observectl set app.volume 70").status == .exited(0))
        daemon.signal(SIGTERM)
        #expect(try daemon.finish().status == .exited(0))
        #expect(try home.run("cd ..; \(fault.rawValue)").status == .exited(0))

        let faults = try home.faults().filter { $0["part"] != "socket" }
        #expect(faults.count == 1, "\(faults)")
        let found = try #require(faults.first)
        #expect(found["part"]?.string == fault.part)
        #expect(found["place"]?.string?.hasPrefix(home.directory.path("")) == true)
        let command = try #require(found["command"]?.string)
        let words = command.split(separator: " ").map(String.init)
        let mended: ChildProcess
        if words.first == "observed" {
            mended = try home.start(Array(words.dropFirst()))
        } else {
            #expect(try home.run(command).status == .exited(0), "\(command)")
            mended = try home.start()
        }
        #expect(try home.faults().isEmpty)
        mended.signal(SIGTERM)
        try mended.wait()
    }

    @Test func `a link to a configuration is as well as its target`() throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let file = "config/observed/observed.json"
        _ = try home.run("cd ..; mv \(file) real; ln -s ../../real \(file)")
        #expect(try home.faults().map { $0["part"] } == ["socket"])
    }

    @Test(.enabled(if: OtherUser.isPossible))
    func `a configuration of another user is a fault`() throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let file = home.directory.path("config/observed/observed.json")
        #expect(unsafe chown(file, 65534, 65534) == 0)
        #expect(try home.faults().last?["command"]?.string == "sudo chown 0 \(file)")
    }

    @Test(arguments: ["touch", "mkdir", "ln -s nowhere"])
    func `doctor moves a file away that is not a socket`(command: String) throws {
        let home = try Home()
        #expect(try home.run("\(command) ../run/observed.sock").status == .exited(0))
        let fault = try #require(try home.faults().first)
        #expect(fault["message"] == "it is not a socket, so no daemon can listen")
        #expect(try home.run(fault["command"]?.string ?? "").status == .exited(0))
        #expect(try home.faults().map { $0["command"] } == ["observed &"])
    }

    @Test func `doctor moves a file away that is in place of the socket's folder, once`() throws {
        let home = try Home()
        #expect(try home.run("rmdir ../run; touch ../run").status == .exited(0))
        let folder = home.directory.path("run")
        let faults = try home.faults()
        #expect(faults.map { $0["message"] } == ["the socket's folder is a file"])
        #expect(faults.map { $0["command"]?.string } == ["mv \(folder) \(folder).old"])
    }

    @Test func `doctor names the daemon that keeps the state and listens elsewhere`() throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let other = home.directory.path("other.sock")
        let daemon = try home.start(["--socket", other])
        let faults = try home.faults()
        #expect(faults.map { $0["part"] } == ["socket"])
        let message = "no daemon listens, and process \(daemon.pid) keeps the state: it listens on \(other)"
        #expect(faults.first?["message"]?.string == message)
        let command = try #require(faults.first?["command"]?.string)
        #expect(command == "export OBSERVED_SOCKET=\(other)")
        #expect(try home.run("\(command); observectl doctor").status == .exited(0))
        daemon.signal(SIGTERM)
        try daemon.wait()
    }

    @Test func `doctor ends a daemon whose socket was removed`() throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let daemon = try home.start()
        #expect(try home.run("rm ../run/observed.sock").status == .exited(0))
        let fault = try #require(try home.faults().first)
        #expect(fault["message"]?.string == "no daemon listens, and process \(daemon.pid) keeps the state")
        #expect(try home.run(fault["command"]?.string ?? "").status == .exited(0))
        #expect(try daemon.finish().status == .exited(0))
        #expect(try home.faults().map { $0["command"] } == ["observed &"])
    }

    @Test(arguments: [false, true])
    func `doctor mends a socket that permissions do not`(isLink: Bool) throws {
        let home = try Home()
        let path = home.directory.path("run/observed.sock")
        let datagram = try NotifySocket()
        if isLink {
            #expect(unsafe symlink("observed.sock", path) == 0)
        } else {
            #expect(unsafe rename(datagram.address, path) == 0)
        }
        let fault = try #require(try home.faults().first)
        let other = "it is a socket of another kind, so no daemon can listen"
        #expect(fault["message"]?.string == (isLink ? "this link leads nowhere" : other))
        #expect(try home.run(fault["command"]?.string ?? "").status == .exited(0))
        #expect(try home.faults().map { $0["command"] } == ["observed &"])
        withExtendedLifetime(datagram) {}
    }

    /// What a user has no permissions for, and the command that mends it.
    @Test(
        arguments: [
            "chmod 0 run": "chmod u+rwx run", "chmod 500 run": "chmod u+rwx run",
            "chmod 0 config/observed": "chmod u+rwX config/observed",
            "chmod 0 config/observed/observed.json": "chmod u+rwX config/observed/observed.json",
            "chmod 0 state": "chmod u+rwX state", "chmod 500 state/observed": "chmod u+rwX state/observed",
        ]
    )
    func `doctor finds what its user can't use`(fault: String, remedy: String) throws {
        let home = try Home()
        _ = try home.run("observectl init")
        let daemon = try home.start()
        daemon.signal(SIGTERM)
        try daemon.wait()
        let words = remedy.split(separator: " ")
        let command = "\(words[0]) \(words[1]) \(home.directory.path(String(words[2])))"
        #expect(try home.run("cd ..; \(fault)").status == .exited(0))
        let faults = try home.faults(asRoot: false)
        #expect(faults.filter { $0["part"] != "socket" }.map { $0["command"]?.string } == [command])
        #expect(try home.run(command).status == .exited(0))
        #expect(try home.faults(asRoot: false).map { $0["part"] } == ["socket"])
    }

    @Test func `doctor leads past a path that no socket can have`() throws {
        let home = try Home()
        let long = "/tmp/" + String(repeating: "x", count: 108)
        for (variable, command) in [
            ("OBSERVED_SOCKET=\(long)", "unset OBSERVED_SOCKET"),
            ("OBSERVED_SOCKET=/tmp", "unset OBSERVED_SOCKET"),
            ("XDG_RUNTIME_DIR=\(long)", "export XDG_RUNTIME_DIR=/run/user/\(geteuid())"),
        ] {
            let doctor = try home.run("\(variable) observectl doctor")
            let line = try #require(doctor.output.split(separator: "\n").first)
            #expect(try Value(json: String(line))["command"]?.string == command)
        }
        #expect(try home.run("rmdir ../run; touch ../run").status == .exited(0))
        for _ in 0..<2 {
            // What lies in the way of a daemon comes before its start.
            let command = try #require(try home.faults().first?["command"]?.string)
            #expect(try home.run(command).status == .exited(0), "\(command)")
        }
        #expect(try home.faults().map { $0["command"] } == ["observed &"])
    }

    @Test func `doctor continues a stopped daemon`() throws {
        let home = try Home()
        let daemon = try home.start()
        daemon.signal(SIGSTOP)
        var status: Int32 = 0
        #expect(unsafe waitpid(daemon.pid, &status, WUNTRACED) == daemon.pid)
        let doctor = try home.run("observectl doctor --timeout 200ms")
        let line = try #require(doctor.output.split(separator: "\n").first)
        let command = try Value(json: String(line))["command"]?.string
        #expect(command == "kill -CONT \(daemon.pid)")
        _ = try home.run(command ?? "")
        #expect(try home.faults().isEmpty)
        daemon.signal(SIGTERM)
        try daemon.wait()
    }

    @Test func `doctor names the faults of the units`() throws {
        let home = try Home()
        let daemon = try home.start()
        let cases = [
            (
                "LoadState=loaded\nActiveState=failed\nResult=exit-code",
                "systemctl --user restart observed.service"
            ),
            ("LoadState=loaded\nNeedDaemonReload=yes", "systemctl --user daemon-reload"),
            ("LoadState=bad-setting", "systemctl --user edit --full observed.service"),
            (
                "LoadState=loaded\nExecStart={ path=/nowhere/observed ; argv[]=/nowhere/observed ; }",
                "systemctl --user edit --full observed.service"
            ),
        ]
        for (properties, command) in cases {
            try home.installUnits(service: properties)
            let faults = try home.faults()
            #expect(faults.map { $0["part"] } == ["unit"], "\(properties)")
            #expect(faults.first?["place"] == "observed.service")
            #expect(faults.first?["command"]?.string == command)
        }
        daemon.signal(SIGTERM)
        try daemon.wait()
    }

    @Test func `doctor finds a program that listens and does not answer`() throws {
        let home = try Home()
        let listener = try UnixListener.listen(path: home.directory.path("run/observed.sock"))
        let doctor = try home.run("observectl doctor --timeout 200ms")
        #expect(doctor.status == .exited(1))
        let line = try #require(doctor.output.split(separator: "\n").first)
        #expect(try Value(json: String(line))["command"]?.string == "kill -KILL \(getpid())")
        listener.close()
    }

    @Test func `doctor finds another program before the daemon's`() throws {
        let home = try Home()
        try home.directory.write("#!/bin/sh\n", to: "bin/observed")
        unsafe chmod(home.directory.path("bin/observed"), 0o700)
        let faults = try home.faults().filter { $0["part"] == "versions" }
        let other = home.directory.path("bin/observed")
        #expect(faults.map { $0["message"]?.string } == ["a shell finds \(other) first"])
    }

    @Test func `doctor finds a program that does not speak the protocol`() throws {
        let home = try Home()
        let listener = try UnixListener.listen(path: home.directory.path("run/observed.sock"))
        let doctor = try ChildProcess("sh", ["-c", "observectl doctor"], environment: home.environment)
        _ = Poll.wait(for: [(listener.number, .readable)], until: .now.adding(milliseconds: 60_000))
        guard case .connection(let socket) = listener.accept() else {
            Issue.record("doctor does not connect")
            return
        }
        _ = ByteIO.writeAll(socket.number, Array("HTTP/1.1 400 Bad Request\r\n".utf8))
        let line = try #require(try doctor.readLine())
        #expect(try Value(json: line)["command"]?.string == "kill -KILL \(getpid())")
        #expect(try doctor.finish().status == .exited(1))
        listener.close()
    }
}
