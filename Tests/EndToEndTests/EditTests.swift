// SPDX-License-Identifier: MIT
// `edit` with scripts as editors: the differences, and the conflicts with other writers.

import Glibc
import Testing

struct EditTests {
    private func edit(_ path: String, with editor: String, on daemon: DaemonUnderTest) throws -> Finished {
        let variables = [
            "OBSERVED_SOCKET": daemon.socket, "VISUAL": "", "EDITOR": editor,
            "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
        ]
        return try ChildProcess.run(BuiltProducts.observectl, ["edit", path], environment: variables)
    }

    private func daemon() throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl(
            "set",
            "app",
            #"{"a.b":[1,2],"volume":50,"player":{"title":"Alien","x":1},"gone":true}"#
        )
        return daemon
    }

    @Test(.timeLimit(.minutes(15)))
    func `the differences are one commit, and other models stay the same`() throws {
        let daemon = try daemon()
        let before = try daemon.observectl("describe", "app.player").output
        let editor = #"sed -i -e s/50/60/ -e /gone/d -e 's/"x": 1/"x": 1, "y": {}/' -e 's/},$/}/' -e s/2/3/"#
        #expect(
            try edit("app", with: editor, on: daemon) == Finished(status: .exited(0), output: "", errors: "")
        )
        #expect(
            try daemon.observectl("get", "--revision", "app").output
                == #"{"a.b":[1,3],"volume":60,"player":{"title":"Alien","x":1,"y":{}}}"# + "\t2\n"
        )
        #expect(try daemon.observectl("describe", "app.player").output.prefix(40) == before.prefix(40))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("true", 0, "observectl: nothing was changed\n"),
            ("false", 1, "observectl: the editor 'false' failed; nothing was changed\n"),
        ] as [(String, Int32, String)]
    )
    func `an unchanged text writes nothing`(editor: String, status: Int32, errors: String) throws {
        let daemon = try daemon()
        #expect(
            try edit("app", with: editor, on: daemon)
                == Finished(status: .exited(status), output: "", errors: errors)
        )
        #expect(try daemon.observectl("status").output.contains(#""revision":1,"#))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            ("app", "printf '[1,' >", "the text is not JSON: "),
            (
                "observed.connections", "echo 5 >",
                "the root observed is the daemon's own and can't be written"
            ),
            (
                "newx.y", "echo 5 >",
                "newx is null, so newx.y can't be written; first make it: observectl set "
            ),
        ]
    )
    func `a text that can't be written is kept`(path: String, editor: String, sentence: String) throws {
        let run = try edit(path, with: editor, on: daemon())
        #expect(run.status == .exited(1))
        #expect(run.errors.hasPrefix("observectl: \(sentence)"))
        let copy = try #require(run.errors.firstMatch(of: #/; the text is in (\S+)\n/#)?.1)
        #expect(try ["[1,", "5\n"].contains(readText(String(copy))))
        _ = unsafe unlink(String(copy))
    }

    /// Also with a umask that removes nothing.
    @Test(.timeLimit(.minutes(15)))
    func `the texts are the user's alone, in TMPDIR`() throws {
        let daemon = try daemon()
        let folder = try TemporaryDirectory()
        let editor = try daemon.directory.write(
            "stat -c '%a %n' \"$1\" \"$(dirname \"$1\")\" >>'\(folder.path("seen"))'; echo '[1,' >\"$1\"",
            to: "editor.sh"
        )
        let run = try ChildProcess.run(
            "sh",
            ["-c", "umask 0; exec \(BuiltProducts.observectl) edit app"],
            environment: [
                "OBSERVED_SOCKET": daemon.socket, "VISUAL": "", "EDITOR": "sh \(editor)",
                "TMPDIR": folder.path + "/",
            ]
        )
        let copy = String(try #require(run.errors.firstMatch(of: #/; the text is in (\S+)\n/#)?.1))
        #expect(copy.hasPrefix(folder.path + "/observectl-edit-"))
        let modes = try ChildProcess.run("stat", ["-c", "%a", copy]).output
        #expect(modes == "600\n")
        let seen = try readText(folder.path("seen")).split(separator: "\n").map { $0.split(separator: " ") }
        #expect(seen.map { String($0[0]) } == ["600", "700"])
        #expect(seen.allSatisfy { $0[1].hasPrefix(folder.path + "/observectl-edit-") })
        #expect(try ChildProcess.run("ls", ["-A", folder.path]).output.split(separator: "\n").count == 2)
    }

    @Test(.timeLimit(.minutes(15)))
    func `changes of other members are no conflict`() throws {
        let daemon = try daemon()
        let editor = try daemon.directory.write(
            "observectl set app.new 1; sed -i s/50/60/ \"$1\"",
            to: "editor.sh"
        )
        #expect(try edit("app", with: "sh \(editor)", on: daemon).status == .exited(0))
        #expect(
            try daemon.observectl("get", "app.volume", "app.new").output == "app.volume\t60\napp.new\t1\n"
        )
    }

    /// A terminal would send it to the editor, the shell between them and `edit`.
    @Test(.timeLimit(.minutes(15)))
    func `an interruption is for the editor, which may continue`() throws {
        let daemon = try daemon()
        let go = daemon.directory.path("go")
        let program = """
            kill -INT $PPID
            echo begun
            until [ -e '\(go)' ]; do sleep 0.01; done
            sed -i s/50/60/ "$1"
            """
        let editor = try daemon.directory.write(program, to: "editor.sh")
        let child = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "edit", "app"],
            environment: ["VISUAL": "", "EDITOR": "sh \(editor)"]
        )
        #expect(try child.readLine() == "begun")
        child.signal(SIGINT)
        _ = try daemon.directory.write("", to: "go")
        #expect(try child.finish() == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try daemon.observectl("get", "app.volume").output == "60\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `if both changed a member, the editor opens again and shows both`() throws {
        let daemon = try daemon()
        let shown = daemon.directory.path("shown")
        let program = """
            if [ -e '\(shown)' ]; then exit 9; fi
            if grep -q '<<<' "$1"; then
                cp "$1" '\(shown)'
                sed -i -e '/^<<</d' -e '/^===/,/^>>>/d' "$1"
            else
                observectl merge app '{"volume": 70, "player": {"title": "Aliens"}, "new": 1}'
                sed -i -e s/50/60/ -e 's/"x": 1/"x": 2/' "$1"
            fi
            """
        let editor = try daemon.directory.write(program, to: "editor.sh")
        let run = try edit("app", with: "sh \(editor)", on: daemon)
        #expect(run.status == .exited(0))
        #expect(
            run.errors
                == "observectl: app.volume has changed since revision 1; the editor shows both\n"
        )
        #expect(
            try readText(shown) == """
                {
                  "a.b": [
                    1,
                    2
                  ],
                <<<<<<< yours
                  "volume": 60,
                =======
                  "volume": 70,
                >>>>>>> theirs
                  "player": {
                    "title": "Aliens",
                    "x": 2
                  },
                  "gone": true,
                  "new": 1
                }

                """
        )
        #expect(
            try daemon.observectl("get", "app").output
                == #"{"a.b":[1,2],"volume":60,"player":{"title":"Aliens","x":2},"gone":true,"new":1}"# + "\n"
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a model with two paths is written once, and the editor opens once`() throws {
        let daemon = try daemon()
        _ = try daemon.observectl("link", "app.second", "app.player")
        let runs = daemon.directory.path("runs")
        let editor = try daemon.directory.write(
            "echo run >>'\(runs)'; sed -i -e s/Alien/Aliens/ -e s/50/60/ \"$1\"",
            to: "editor.sh"
        )
        #expect(
            try edit("app", with: "sh \(editor)", on: daemon)
                == Finished(status: .exited(0), output: "", errors: "")
        )
        #expect(
            try daemon.observectl("get", "app.player.title", "app.second.title", "app.volume").output
                == "app.player.title\t\"Aliens\"\napp.second.title\t\"Aliens\"\napp.volume\t60\n"
        )
        #expect(try readText(runs) == "run\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `without a daemon at the end, the text is kept`() throws {
        let daemon = try daemon()
        let editor = try daemon.directory.write(
            "sed -i s/50/60/ \"$1\"; mv '\(daemon.socket)' '\(daemon.socket).gone'",
            to: "editor.sh"
        )
        let run = try edit("app", with: "sh \(editor)", on: daemon)
        #expect(run.status == .exited(69))
        let copy = String(try #require(run.errors.firstMatch(of: #/; the text is in (\S+)\n/#)?.1))
        #expect(try readText(copy).contains("\"volume\": 60"))
        _ = unsafe unlink(copy)
    }
}
