// SPDX-License-Identifier: MIT
// Runs the recipes of config/recipes: their command lines, scripts, configurations and publishers, with stubs for other programs.

import Glibc
import Testing

struct RecipeTests {
    private static let folder = "\(BuiltProducts.package)/config/recipes"

    private func text(_ name: String) -> String { Document.text("config/recipes/\(name)") }

    private func environment(_ daemon: DaemonUnderTest) -> [String: String] {
        [
            "XDG_RUNTIME_DIR": daemon.directory.path,
            "PATH": "\(daemon.directory.path):\(BuiltProducts.folder):\(variable("PATH") ?? "")",
        ]
    }

    private func start(_ program: String, _ arguments: [String], on daemon: DaemonUnderTest) throws
        -> ChildProcess
    {
        try ChildProcess(program, arguments, environment: environment(daemon))
    }

    /// Waits until a path has that value.
    private func expect(_ path: String, _ value: String, on daemon: DaemonUnderTest) throws {
        let found = try daemon.observectl("wait", "--timeout", "30", path, "=", value)
        #expect(found.status == .exited(0), "\(path)")
    }

    @Test func `a recipe has fewer than 30 lines`() throws {
        let listed = try ChildProcess.run("find", [RecipeTests.folder, "-type", "f"]).output.split(
            separator: "\n"
        )
        #expect(listed.count >= 18)
        for file in listed {
            let lines =
                try readText(String(file)).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(lines < 30, "\(file)")
        }
    }

    // MARK: Bars

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (
                "waybar.jsonc", ("\"exec\": \"", "\",\n"),
                [
                    #"{"text":"Alien \"3\" &amp; more","tooltip":"Goldenthal","class":"Playing"}"#,
                    #"{"text":"Aliens","tooltip":"Goldenthal","class":"Playing"}"#,
                ]
            ),
            ("polybar.ini", ("exec = ", "\n"), [#"Goldenthal – Alien "3" & more"#, "Goldenthal – Aliens"]),
            (
                "i3blocks.conf", ("command=", "\n"),
                [
                    #"{"full_text":"Alien '3' & more","short_text":"Goldenthal","markup":"none"}"#,
                    #"{"full_text":"Aliens","short_text":"Goldenthal","markup":"none"}"#,
                ]
            ),
            ("tmux.conf", ("status-right \"#(", ")\"\n"), [#"Alien "3" & more"#, "Aliens"]),
        ] as [(String, (String, String), [String])]
    )
    func `a bar shows the title and follows it`(
        recipe: String,
        around: (before: String, after: String),
        lines: [String]
    ) throws {
        let command = try command(of: recipe, around)
        let daemon = try DaemonUnderTest()
        let player = #"{"player":{"title":"Alien \"3\" & more","artist":"Goldenthal","status":"Playing"}}"#
        _ = try daemon.observectl("set", "media", player)
        let bar = try start("sh", ["-c", "exec \(command)"], on: daemon)
        #expect(try bar.readLine() == lines[0])
        _ = try daemon.observectl("set", "media.player.title", "Aliens")
        #expect(try bar.readLine() == lines[1])
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("waybar.jsonc", ("\"exec\": \"", "\",\n"), #"{"text":"<b>%{A1:id:}#H%n&lt;"}"#),
            ("polybar.ini", ("exec = ", "\n"), " – <b>%%{O0}{A1:id:}#H%n<"),
            ("i3blocks.conf", ("command=", "\n"), #"{"full_text":"<b>%{A1:id:}#H%n<","markup":"none"}"#),
            ("tmux.conf", ("status-right \"#(", ")\"\n"), "<b>%{A1:id:}##H%n<"),
        ] as [(String, (String, String), String)]
    )
    func `a title stays text for each bar`(
        recipe: String,
        around: (before: String, after: String),
        line: String
    ) throws {
        let command = try command(of: recipe, around)
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "media", #"{"player":{"title":"<b>%{A1:id:}#H%n<"}}"#)
        let bar = try start("sh", ["-c", "exec \(command)"], on: daemon)
        let shown = recipe == "waybar.jsonc" ? line.replacing("<b>", with: "&lt;b&gt;") : line
        #expect(try bar.readLine() == shown)
    }

    private func command(of recipe: String, _ around: (before: String, after: String)) throws -> Substring {
        let rest = try #require(text(recipe).split(separator: around.before, maxSplits: 1).last)
        return try #require(rest.split(separator: around.after, maxSplits: 1).first)
    }

    private static func isInstalled(_ tool: String) -> Bool {
        (try? ChildProcess.run("sh", ["-c", "command -v \(tool)"]).status) == .exited(0)
    }

    /// An inner tmux has the recipe, and an outer one is the terminal that shows its status line.
    @Test(.timeLimit(.minutes(15)), .enabled(if: isInstalled("tmux")))
    func `tmux itself shows a title as it is, and executes nothing of it`() throws {
        let daemon = try DaemonUnderTest()
        let folder = daemon.directory.path
        let title = "#H #[fg=red]#(touch \(folder)/owned)%H C#"
        _ = try daemon.observectl("set", "media", #"{"player":{"title":"\#(title)"}}"#)
        var environment = environment(daemon)
        environment.merge(["TMUX_TMPDIR": folder, "TERM": "screen", "LC_ALL": "C.UTF-8", "HOME": folder]) {
            $1
        }
        // The server outlives its client, so it must not hold the pipe that shows the end of the client's children.
        func tmux(_ words: [String]) throws -> Finished {
            try ChildProcess.run(
                "sh",
                ["-c", #"exec tmux "$@" 3>&-"#, "sh"] + words,
                environment: environment
            )
        }
        let recipe = "\(RecipeTests.folder)/tmux.conf"
        defer { for name in ["outer", "inner"] { _ = try? tmux(["-L", name, "kill-server"]) } }
        let begin = ["new-session", "-d", "-x", "160", "-y", "10"]
        #expect(
            try tmux(["-L", "inner", "-f", recipe] + begin + ["exec sleep 600"]).status == .exited(0)
        )
        _ = try tmux(["-L", "inner", "set", "-g", "status-right-length", "150"])
        _ = try tmux(["-L", "outer", "-f", "/dev/null"] + begin + ["env -u TMUX tmux -L inner attach"])
        let deadline = Deadline(after: .seconds(60))
        var screen = ""
        while !screen.contains(title), deadline.remaining > .zero {
            screen = try tmux(["-L", "outer", "capture-pane", "-p"]).output
        }
        #expect(screen.contains(title), "\(screen)")
        #expect(try ChildProcess.run("test", ["-e", "\(folder)/owned"]).status == .exited(1))
    }

    @Test(.timeLimit(.minutes(15)))
    func `quickshell's request is answered with events`() throws {
        let request = try #require(text("quickshell.qml").firstMatch(of: #/write\('(.*)\\n'\)/#))
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "media", #"{"player":{"title":"Alien"}}"#)
        let connection = try daemon.connect()
        try connection.send(String(request.1))
        _ = try connection.readLine()
        let event = try connection.readLine() ?? ""
        #expect(event.contains(#""method":"change""#) && event.contains(#""new":"Alien""#))
    }

    // MARK: Scripts

    @Test(.timeLimit(.minutes(15)))
    func `the prompt has the build's status, and is empty without a daemon`() throws {
        let daemon = try DaemonUnderTest()
        let program = ". '\(RecipeTests.folder)/prompt.sh'; build_status"
        #expect(
            try start("sh", ["-c", program], on: daemon).finish()
                == Finished(status: .exited(0), output: "", errors: "")
        )
        _ = try daemon.observectl("set", "build", #"{"status":"passed"}"#)
        #expect(try start("sh", ["-c", program], on: daemon).finish().output == "[passed] \n")
        _ = try daemon.stop()
        #expect(
            try start("sh", ["-c", program], on: daemon).finish()
                == Finished(status: .exited(0), output: "", errors: "")
        )
    }

    /// What a status can't do: execute an escape sequence, or be expanded by the shell's prompt.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("zsh", ["-fc"], #"print -rP -- "$PS1""#), ("bash", ["-c"], #"printf '%s\n' "${PS1@P}""#),
        ]
    )
    func `a shell's prompt shows a status as it is`(shell: String, options: [String], prompt: String) throws {
        guard RecipeTests.isInstalled(shell) else { return }
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl(
            "set",
            "build",
            #"{"status":"%n %F{red}$(id) `id` \\u\u001b[31m\u009b\u202e"}"#
        )
        let program = "PS1='> '; . '\(RecipeTests.folder)/prompt.sh'; \(prompt)"
        let shown = try start(shell, options + [program], on: daemon).finish()
        #expect(shown.output == #"[%n %F{red}$(id) `id` \u\u{1b}[31m\u{9b}\u{202e}] > "# + "\n")
    }

    @Test func `scripts that are run are executable, and name their interpreter`() throws {
        let folder = RecipeTests.folder
        for file in try ChildProcess.run("find", [folder, "-type", "f"]).output.split(separator: "\n").map(
            String.init
        ) {
            let isProgram = try readText(file).hasPrefix("#!")
            let isRun = [".sh", ".py", ".js", ".pl", ".rb"].contains { file.hasSuffix($0) }
            // The prompt is read by a shell.
            #expect(isProgram == (isRun && !file.hasSuffix("/prompt.sh")), "\(file)")
            #expect(
                (try ChildProcess.run("test", ["-x", file]).status == .exited(0)) == isProgram,
                "\(file)"
            )
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a media player is a model that playerctl feeds`() throws {
        guard RecipeTests.isInstalled("jq") else { return }
        let daemon = try DaemonUnderTest()
        let stub =
            "#!/bin/sh\nprintf 'Playing\\tGoldenthal\\tAlien \"3\"\\n'; read line; printf 'Paused\\tHorner\\tAliens\\n'\n"
        try daemon.directory.write(stub, to: "playerctl")
        _ = unsafe chmod(daemon.directory.path("playerctl"), 0o755)
        let script = try start("sh", ["\(RecipeTests.folder)/media-player.sh"], on: daemon)
        try expect("media.player.title", #"Alien "3""#, on: daemon)
        #expect(
            try daemon.observectl("get", "media.player").output
                == #"{"status":"Playing","artist":"Goldenthal","title":"Alien \"3\""}"# + "\n"
        )
        script.closeInput()
        #expect(try script.wait() == .exited(0))
        #expect(try daemon.observectl("get", "media.player").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `nothing disturbs while a command runs`() throws {
        let daemon = try DaemonUnderTest()
        let script = ["\(RecipeTests.folder)/do-not-disturb.sh", "observectl", "get", "desktop.dnd"]
        #expect(try start("sh", script, on: daemon).finish().output == "true\n")
        #expect(try daemon.observectl("get", "desktop.dnd").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a build shares its status`() throws {
        let daemon = try DaemonUnderTest()
        let script = "\(RecipeTests.folder)/build-status.sh"
        let build = try start("sh", [script, "observectl", "get", "build.status"], on: daemon).finish()
        #expect(build == Finished(status: .exited(0), output: "\"running\"\n", errors: ""))
        #expect(try daemon.observectl("get", "build.status").output == "\"passed\"\n")
        #expect(try start("sh", [script, "sh", "-c", "exit 3"], on: daemon).finish().status == .exited(3))
        #expect(try daemon.observectl("get", "build.status").output == "\"failed\"\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a job is listed while it runs`() throws {
        guard RecipeTests.isInstalled("jq") else { return }
        let daemon = try DaemonUnderTest()
        let words = ["\(RecipeTests.folder)/job-status.sh", "tests", "sh", "-c", "echo begun; read line"]
        let job = try start("sh", words, on: daemon)
        try expect("jobs.\(job.pid).status", "begun", on: daemon)
        #expect(try daemon.observectl("get", "jobs.\(job.pid).name").output == "\"tests\"\n")
        job.closeInput()
        #expect(try job.wait() == .exited(0))
        #expect(try daemon.observectl("get", "jobs").output == "{}\n")
    }

    // MARK: Configurations

    @Test(.timeLimit(.minutes(15)))
    func `the thermostat computes and carries values`() throws {
        let daemon = try DaemonUnderTest(configuration: text("thermostat.json"))
        #expect(try daemon.observectl("get", "heater").output == #"{"on":true,"target":20.0}"# + "\n")
        _ = try daemon.observectl("set", "room.sensors.0.celsius", "22")
        #expect(try daemon.observectl("get", "heater").output == #"{"on":false,"target":20.0}"# + "\n")
        _ = try daemon.observectl("set", "room.sensors.0.battery", "3")
        _ = try daemon.observectl("set", "dial.target", "21.5")
        #expect(try daemon.observectl("get", "heater").output == #"{"on":true,"target":21.5}"# + "\n")
        #expect(try daemon.observectl("get", "--raw", "room.label").output == "19.0 °C, to be 21.5 °C\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `the current player is one path, whichever plays`() throws {
        let daemon = try DaemonUnderTest(configuration: text("players.json"))
        let bar = try start(
            BuiltProducts.observectl,
            ["subscribe", "--format", "{}", "media.line"],
            on: daemon
        )
        #expect(try bar.readLine() == "nothing plays")
        _ = try daemon.observectl("set", "media.players.mpv", #"{"title":"Alien","status":"Playing"}"#)
        #expect(try bar.readLine() == "Alien")
        let vlc = #"{"title":"Brazil","artist":"Gilliam","status":"Playing"}"#
        _ = try daemon.observectl("set", "media.players.vlc", vlc)
        #expect(try bar.readLine() == "Gilliam – Brazil")
        _ = try daemon.observectl("set", "media.now.volume", "30")
        #expect(try daemon.observectl("get", "media.players.vlc.volume").output == "30\n")
        _ = try daemon.observectl("set", "media.players.vlc.status", "Paused")
        #expect(try bar.readLine() == "Alien")
    }

    @Test(.timeLimit(.minutes(15)))
    func `settings have types and defaults`() throws {
        let daemon = try DaemonUnderTest(configuration: text("settings.json"))
        #expect(
            try daemon.observectl("get", "settings").output
                == #"{"theme":"dark","fontSize":11,"terminal":{"scrollback":10000,"bell":false,"font":null},"recent":[]}"#
                + "\n"
        )
        #expect(try daemon.observectl("set", "settings.fontSize", "large").status == .exited(1))
        #expect(
            try daemon.observectl("set", "settings.fontsize", "12").errors.contains("did you mean fontSize?")
        )
    }

    // MARK: Publishers

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("python3", "exec python3 load.py"), ("node", "exec node load.js"), ("perl", "exec perl load.pl"),
            ("ruby", "exec ruby load.rb"), ("go", #"go build -o "$1/load" load.go && exec "$1/load""#),
            ("cc", #"cc -Wall -Wextra -Werror -o "$1/load" load.c && exec "$1/load""#),
        ]
    )
    func `a publisher's value is there while it runs`(tool: String, command: String) throws {
        guard RecipeTests.isInstalled(tool) else { return }
        let daemon = try DaemonUnderTest()
        var variables = environment(daemon)
        variables["HOME"] = daemon.directory.path
        variables["PYENV_VERSION"] = variable("PYENV_VERSION")
        let program = "cd '\(RecipeTests.folder)/publishers' && \(command)"
        let publisher = try ChildProcess(
            "sh",
            ["-c", program, "sh", daemon.directory.path],
            environment: variables
        )
        #expect(
            try daemon.observectl("wait", "--timeout", "60", "load", ">=", "0").status == .exited(0),
            "\(tool)"
        )
        publisher.signal(SIGKILL)
        try publisher.wait()
        #expect(
            try daemon.observectl("wait", "--timeout", "60", "load", "gone").status == .exited(0),
            "\(tool)"
        )
    }
}
