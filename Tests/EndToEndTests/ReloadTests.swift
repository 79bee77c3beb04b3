// SPDX-License-Identifier: MIT
// SIGHUP: the daemon reloads its configuration while clients are connected.

import Glibc
import Testing

struct ReloadTests {
    private static let first = #"""
        {"types":{"Film":{"title":"String"}},
         "models":{"film":{"type":"Film","value":{"title":"M"}},"shelf":{"value":{"best":null}}}}
        """#

    private let daemon: DaemonUnderTest

    init() throws { daemon = try DaemonUnderTest(configuration: ReloadTests.first) }

    /// Replaces the file's text and reloads it. Returns once the log contains `sentence`.
    private func reload(_ text: String, _ sentence: String) throws {
        _ = try daemon.directory.write(text, to: "observed.json")
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: sentence, from: .errors)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a reload creates missing roots and notifies their observers`() throws {
        let client = try daemon.connect()
        _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"film.title","value":"Metropolis"}}"#)
        #expect(
            try client.ask(#"{"id":2,"method":"subscribe","params":{"path":"label.text","initial":false}}"#)?
                .contains(#""initial":0"#) == true
        )
        try reload(
            #"""
            {"types":{"Film":{"title":"String"},"Label":{"text":"String?"}},
             "models":{"film":{"type":"Film","value":{"title":"M"}},"shelf":{"value":{"best":null}},
                       "label":{"type":"Label","value":{"text":null}}},
             "links":[{"path":"shelf.best","target":"film"},{"path":"label.film","target":"film"}],
             "bindings":[{"source":"film.title","target":"label.text"}]}
            """#,
            "label.film"
        )
        #expect(
            try client.ask(#"{"id":3,"method":"get","params":{"path":"label"}}"#)?
                .contains(#""value":null"#) == true
        )
        try reload(
            #"""
            {"types":{"Film":{"title":"String"},"Label":{"text":"String?"}},
             "models":{"film":{"type":"Film","value":{"title":"M"}},"shelf":{"value":{"best":null}},
                       "label":{"type":"Label","value":{"text":null}},"more":{"value":{"of":null}}},
             "links":[{"path":"more.of","target":"film"}],
             "bindings":[{"source":"film.title","target":"label.text"}]}
            """#,
            "read again"
        )
        let event = try #require(try client.readLine())
        #expect(
            event.contains(#""path":"label.text","reason":"pathChanged","new":"Metropolis""#),
            "\(event)"
        )
        #expect(
            try client.ask(#"{"id":4,"method":"get","params":{"path":"more.of.title"}}"#)?
                .contains(#""value":"Metropolis""#) == true
        )
        // Existing roots keep their values.
        #expect(
            try client.ask(#"{"id":5,"method":"get","params":{"path":"shelf.best"}}"#)?
                .contains(#""value":null"#) == true
        )
        #expect(
            try client.ask(#"{"id":6,"method":"set","params":{"path":"label.text","value":1}}"#)?
                .contains(#""code":2"#) == true
        )
    }

    @Test(.timeLimit(.minutes(15))) func `a reload of an empty tree is one commit`() throws {
        let daemon = try DaemonUnderTest(configuration: "{}")
        _ = try daemon.directory.write(#"{"models":{"a":{"value":1},"b":{"value":2}}}"#, to: "observed.json")
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "read again", from: .errors)
        let answer = try daemon.connect().ask(#"{"id":1,"method":"get","params":{"path":"b"}}"#)
        #expect(answer?.contains(#""value":2,"revision":1}"#) == true, "\(answer ?? "")")
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["pipe", "folder", "socket", "device"])
    func `a configuration that is not a regular file is refused, and nothing waits for it`(kind: String)
        throws
    {
        let file = daemon.directory.path("observed.json")
        try #require(unsafe unlink(file) == 0)
        switch kind {
        case "pipe": #expect(unsafe mkfifo(file, 0o600) == 0)
        case "folder": #expect(unsafe mkdir(file, 0o700) == 0)
        case "socket":
            try #require(try ChildProcess.run("python3", ["-c", OddFile.socket, file]).status == .exited(0))
        default: #expect(unsafe symlink("/dev/zero", file) == 0)
        }
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "\(file) is not a regular file", from: .errors)
        try daemon.process.readLine(containing: "nothing was changed", from: .errors)
        let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-config", file])
        #expect(checked.status == .exited(1))
        #expect(checked.errors.contains("\(file) is not a regular file"))
        #expect(try daemon.stop().status == .exited(0))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (#"{"models":{"new":{"value":1}},"#, "observed.json"),
            (#"{"models":{"new":{"value":1}},"limit":{}}"#, "limit: unknown key"),
            (
                #"{"types":{"Film":{"title":"Int"}},"models":{"new":{"value":1}}}"#,
                "film.title: expected Int, was String, found a string: assign another value first, or start with --adapt, which resets it to 0"
            ),
            (
                #"{"types":{"Film":{"title":"String"}},"models":{"new":{"value":1},"shelf":{"type":"[Film]","value":[]}}}"#,
                "shelf: expected [Film], found a model of no declared type: assign another value first, or start with --adapt, which makes it again as configured"
            ),
            (
                #"{"types":{"Film":{"title":"String"}},"models":{"new":{"value":1},"mine":{"type":"Film","value":{"title":""}}}}"#,
                "mine.title: expected String, found 2: assign another value first"
            ),
            (
                #"{"models":{"new":{"value":1},"shelf":{"value":{"best":{}}},"other":{"value":{"x":null}}},"links":[{"path":"other.x","target":"shelf.best"}]}"#,
                "links.0"
            ),
            (
                // The path is too deep until a restart.
                #"{"limits":{"maxDepth":128},"models":{"new":{"value":{"a":1}}},"bindings":[{"source":"new.a","target":"new.b"},{"source":"new.a","target":"new\#(String(repeating: ".n", count: 70))"}]}"#,
                "bindings.1"
            ),
        ]
    )
    func `a configuration with a fault changes nothing, and the log says why`(text: String, sentence: String)
        throws
    {
        let client = try daemon.connect()
        _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"mine","value":{"title":2}}}"#)
        func state() throws -> [String?] {
            [
                try client.ask(#"{"id":2,"method":"describe","params":{"path":""}}"#),
                try client.ask(#"{"id":2,"method":"bindings"}"#),
            ]
        }
        let before = try state()
        try reload(text, sentence)
        try daemon.process.readLine(containing: "nothing was changed", from: .errors)
        #expect(try state() == before)
        try reload(ReloadTests.first, "read again")
    }

    // A start makes a removed root again.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [["app.player"], ["app.player.now", "lib.film"], ["app", "lib.film"]]
    )
    func `a configured link is left out if a client has removed an end of it`(removed: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            #"""
            {"models":{"app":{"value":{"player":{}}},"lib":{"value":{"film":{"title":"M"}}}},
             "links":[{"path":"app.player.now","target":"lib.film"}]}
            """#,
            to: "observed.json"
        )
        let arguments = ["--config", file, "--state", directory.path("state")]
        var daemon = try DaemonUnderTest(in: directory, arguments)
        for path in removed { #expect(try daemon.observectl("remove", path).status == .exited(0)) }
        #expect(try daemon.stop().status == .exited(0))
        let sentence = "the link is not made"
        daemon = try DaemonUnderTest(in: directory, arguments, logging: [sentence])
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: sentence, from: .errors)
        try daemon.process.readLine(containing: "was read again", from: .errors)
        #expect(try daemon.observectl("upgrade").status == .exited(0))
        try daemon.process.readLine(containing: sentence, from: .errors)
        #expect(try daemon.observectl("get", "app.player.now").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a reload with less space than the tree takes warns, and refuses growth`() throws {
        let client = try daemon.connect()
        try reload(
            String(ReloadTests.first.dropLast()) + #","limits":{"maxTreeBytes":100}}"#,
            "more than maxTreeBytes (100): writes that make it larger are refused"
        )
        let answer = try client.ask(#"{"id":1,"method":"set","params":{"path":"shelf.more","value":1}}"#)
        #expect(answer?.contains("more than maxTreeBytes (100) allows") == true)
        let removal = try client.ask(#"{"id":2,"method":"remove","params":{"path":"shelf"}}"#)
        #expect(removal?.contains(#""changed":true"#) == true)
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [#""limits":{"maxDepth":32}"#, #""journal":{"durability":"none"}"#]
    )
    func `each reload of what only a restart changes says so`(member: String) throws {
        let text = String(ReloadTests.first.dropLast()) + ",\(member)}"
        for _ in 1...2 { try reload(text, "change with a restart only") }
        _ = try daemon.directory.write(ReloadTests.first, to: "observed.json")
        try daemon.process.readLine(containing: "read again", from: .errors)
        daemon.process.signal(SIGHUP)
        while let line = try daemon.process.readLine(.errors), !line.contains("read again") {
            #expect(!line.contains("restart"))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `a reload applies the file's limits`() throws {
        let client = try daemon.connect()
        let text = String(repeating: "x", count: 3000)
        let line = #"{"id":1,"method":"set","params":{"path":"long","value":"\#(text)"}}"#
        #expect(try client.ask(line)?.contains(#""changed":true"#) == true)
        try reload(
            #"{"limits":{"maxLineBytes":2000,"maxRenderedBytes":1000,"maxDepth":5}}"#,
            "maxDepth change with a restart"
        )
        #expect(
            try client.ask(#"{"id":2,"method":"get","params":{"path":"long"}}"#)?.contains(#""code":6"#)
                == true
        )
        #expect(try daemon.connect().ask(line)?.contains("maxLineBytes") == true)
        #expect(
            try client.ask(
                #"{"id":3,"method":"set","params":{"path":"deep","value":{"a":{"b":{"c":{"d":{"e":1}}}}}}}"#
            )?
            .contains(#""changed":true"#) == true
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a default that needs the file's own limits is checked under them`() throws {
        let client = try daemon.connect()
        let film = #""models":{"film":{"type":"Film","value":{"title":"M"}},"shelf":{"value":{"best":null}}}"#
        try reload(
            #"{"types":{"Film":{"title":"String"}},\#(film),"limits":{"maxElements":5}}"#,
            "read again"
        )
        let many = Array(repeating: "{}", count: 30).joined(separator: ",")
        try reload(
            #"""
            {"types":{"Film":{"title":"String","cast":{"type":"[Person]","default":[\#(many)]}},
                      "Person":{"age":"Int","size":"Int"}},\#(film)}
            """#,
            "cast is [Person]"
        )
        #expect(
            try client.ask(#"{"id":1,"method":"set","params":{"path":"film.cast","value":5}}"#)?
                .contains("film.cast: expected [Person], found 5") == true
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a template that needs a greater depth is refused until a restart`() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"limits":{"maxDepth":3}}"#)
        let deep =
            #"{"types":{"T":{"x":"Any","y":{"type":"Any","computed":"{x.a.b.c}"}}},"models":{"t":{"type":"T"}}}"#
        _ = try daemon.directory.write(deep, to: "observed.json")
        daemon.process.signal(SIGHUP)
        for sentence in [
            "limits.maxDepth change with a restart only",
            "types.T.y.computed: column 8: the key path has more than 3 components", "nothing was changed",
        ] { try daemon.process.readLine(containing: sentence, from: .errors) }
        #expect(try daemon.observectl("get", "t").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a computed property has its value as soon as the limits allow it`() throws {
        let client = try daemon.connect()
        let types = #""types":{"Sum":{"all":"[Int]","sum":{"type":"Int?","computed":"{all.@sum}"}}}"#
        let models = #""models":{"list":{"type":"Sum","value":{"all":[1,2,3]}}}"#
        try reload(#"{\#(types),\#(models),"limits":{"maxElements":2}}"#, "read again")
        let subscribe = #"{"id":1,"method":"subscribe","params":{"path":"list.sum","initial":false}}"#
        #expect(try client.ask(subscribe)?.contains(#""initial":0"#) == true)
        try reload(#"{\#(types),\#(models),"limits":{"maxElements":4}}"#, "read again")
        let event = try #require(try client.readLine())
        #expect(event.contains(#""path":"list.sum","reason":"valueChanged","new":6"#), "\(event)")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a binding that goes another way in the file stays, and the log says so each time`() throws {
        func text(_ isTwoWay: Bool, _ types: String = "{}") -> String {
            #"""
            {"types":\#(types),"models":{"a":{"value":1},"b":{"value":2}},
             "bindings":[{"source":"a","target":"b","twoWay":\#(isTwoWay)}]}
            """#
        }
        try reload(text(false), "read again")
        for _ in 1...2 {
            try reload(
                text(true),
                "bindings.0: binding 1 carries one way already: it is not changed: unbind it"
            )
        }
        let list = #""bindings":[{"binding":1,"source":"a","target":"b","twoWay":false,"failing":false}]"#
        let client = try daemon.connect()
        #expect(try client.ask(#"{"id":1,"method":"bindings"}"#)?.contains(list) == true)
        #expect(try daemon.observectl("unbind", "1").status == .exited(0))
        try reload(text(true, #"{"New":{}}"#), "type New: declared")
        #expect(try client.ask(#"{"id":2,"method":"bindings"}"#)?.contains(#""twoWay":true"#) == true)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a link from a property that the same reload declares is made`() throws {
        let roots = #""models":{"film":{"type":"Film","value":{"title":"M"}},"lib":{"type":"Lib"}}"#
        try reload(#"{"types":{"Film":{"title":"String"},"Lib":{}},\#(roots)}"#, "read again")
        let next = #"""
            {"types":{"Film":{"title":"String"},"Lib":{"best":"Film?","now":"weak Film?"}},\#(roots),
             "links":[{"path":"lib.best","target":"film"},{"path":"lib.now","target":"film","weak":true}]}
            """#
        try reload(next, "read again")
        for path in ["lib.best.title", "lib.now.title"] {
            #expect(try daemon.observectl("get", path).output == "\"M\"\n")
        }
        #expect(try daemon.observectl("remove", "lib.best").status == .exited(0))
        try reload(next, "read again")
        #expect(try daemon.observectl("get", "lib.best").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a configuration that has gone stays in force, and the reload fails`() throws {
        let directory = try TemporaryDirectory()
        try #require(unsafe mkdir(directory.path("observed"), 0o700) == 0)
        let file = try directory.write(ReloadTests.first, to: "observed/observed.json")
        let process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", directory.path("o.sock"), "--state", "none"],
            environment: ["XDG_CONFIG_HOME": directory.path]
        )
        try process.readLine(containing: "ready on", from: .errors)
        try #require(unsafe unlink(file) == 0)
        process.signal(SIGHUP)
        try process.readLine(containing: "\(file) does not exist", from: .errors)
        try process.readLine(containing: "nothing was changed", from: .errors)
    }
}
