// SPDX-License-Identifier: MIT
// State under changed types: the real daemon's start, SIGHUP and --adapt.

import Glibc
import ObserveCore
import Testing

struct TypeChangeTests {
    private static let first = #"""
        {"types":{"Film":{"title":"String","year":"Int","old":"Any","next":"weak Film?"}},
         "models":{"films":{"type":"[Film]","value":[{"title":"Alien","year":1979}]},
                   "volume":{"type":"Int","value":50}}}
        """#

    private static func films(year: String) -> String {
        #"""
        {"types":{"Film":{"title":"String","year":"\#(year)","old":"Any","next":"weak Film?"}},
         "models":{"films":{"type":"[Film]","value":[]},"volume":{"type":"Int","value":50}}}
        """#
    }

    private let state: ChangingState

    init() throws { state = try ChangingState(TypeChangeTests.first) }

    @Test(.timeLimit(.minutes(15)))
    func `a start converts what fits, and logs a line for each type`() throws {
        var daemon = try state.start()
        #expect(try daemon.observectl("set", "volume", "70").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        try state.configure(
            #"""
            {"types":{"Film":{"title":"String?","year":"Double","rating":{"type":"Int","default":3},
                              "next":"Film?","label":{"type":"String","computed":"{title} ({year})"}}},
             "models":{"films":{"type":"[Film]","value":[]},"volume":{"type":"Double","value":60}}}
            """#
        )
        daemon = try state.start(logging: [
            "type Film: title is String?, was String, year is Double, was Int, rating is Int, next is Film?, "
                + "was weak Film?, label is computed String, old is no longer declared, "
                + "rating was added to 1 model, year was converted in 1 model, "
                + "old, which was null, was removed from 1 model",
            "models.volume.value: the root keeps 70.0, and the configuration gives 60.0",
        ])
        #expect(
            try daemon.observectl("get", "films").output
                == #"[{"title":"Alien","year":1979.0,"next":null,"rating":3}]"# + "\n"
        )
        #expect(try daemon.observectl("get", "films.0.label").output == "\"Alien (1979.0)\"\n")
        #expect(try daemon.observectl("set", "films.0.rating", "x").status == .exited(1))
        daemon.process.signal(SIGKILL)
        try daemon.process.wait()
        daemon = try state.start()
        #expect(try daemon.observectl("get", "films.0.label").output == "\"Alien (1979.0)\"\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a start names everything that would be lost, and --adapt saves a dump first`() throws {
        var daemon = try state.start()
        let films = (0..<25).map { #"{"title":"F\#($0)","year":\#($0),"old":1}"# }.joined(separator: ",")
        #expect(try daemon.observectl("set", "films", "[\(films)]").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        try state.configure(
            #"""
            {"types":{"Film":{"title":"String","year":{"type":"String","default":"?"},"old":"Any"}},
             "models":{"films":{"type":"[Film]","value":[]},"volume":{"type":"Int","value":50}}}
            """#
        )
        let refused = try state.refusedStart()
        #expect(
            refused.contains(
                "films.0.year: expected String, was Int, found 0: assign another value first, "
                    + "or start with --adapt, which resets it to \"?\""
            )
        )
        #expect(refused.matches(of: /films\.\d+\.year/).count == 20)
        #expect(refused.contains("and 5 more places"))
        // Nothing was changed: the former configuration fits.
        try state.configure(TypeChangeTests.first)
        daemon = try state.start()
        #expect(try daemon.observectl("get", "films.3.year").output == "3\n")
        #expect(try daemon.stop().status == .exited(0))
        try state.configure(
            #"""
            {"types":{"Film":{"title":"String","year":{"type":"String","default":"?"}}},
             "models":{"films":{"type":"[Film]","value":[]},"volume":{"type":"Int","value":50}}}
            """#
        )
        daemon = try state.start(
            ["--adapt"],
            logging: [
                "before-", "Film.year is reset to \"?\" in 25 places", "Film.old is dropped in 25 places",
            ]
        )
        #expect(try daemon.observectl("get", "films.3").output == #"{"title":"F3","year":"?"}"# + "\n")
        #expect(try daemon.stop().status == .exited(0))
        let dump = try #require(try state.dumps().first)
        // The dump loads where the former types are.
        let other = try ChangingState(TypeChangeTests.first)
        let former = try other.start()
        #expect(try former.observectl("load", dump).status == .exited(0))
        #expect(try former.observectl("get", "films.3").output.contains(#""year":3,"old":1"#))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a start without a configuration loses nothing, and nor does the next one with it`() throws {
        var daemon = try state.start()
        #expect(try daemon.observectl("set", "films.0.year", "1980").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        daemon = try state.start(
            configuration: "none",
            logging: ["type Film is no longer declared: 1 model became open and keeps its values"]
        )
        #expect(
            try daemon.observectl("get", "films").output
                == #"[{"title":"Alien","year":1980,"old":null}]"# + "\n"
        )
        #expect(try daemon.observectl("set", "films.0.year", "\"x\"").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        #expect(try state.refusedStart().contains("films.0.year: expected Int, found a string"))
        daemon = try state.start(configuration: "none")
        #expect(try daemon.observectl("set", "films.0.year", "1981").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        daemon = try state.start(logging: ["1 open model got the type"])
        #expect(try daemon.observectl("set", "films.0.year", "\"x\"").status == .exited(1))
    }

    @Test(.timeLimit(.minutes(15)))
    func `SIGHUP changes types, and notifies observers of what changed`() throws {
        let daemon = try state.start()
        let client = try daemon.connect()
        _ = try client.ask(#"{"id":1,"method":"subscribe","params":{"path":"films.0.*","initial":false}}"#)
        try state.configure(
            #"""
            {"types":{"Film":{"title":"String","year":"Double","old":"Any","next":"weak Film?","rating":"Int"}},
             "models":{"films":{"type":"[Film]","value":[]},"volume":{"type":"Int","value":50}}}
            """#
        )
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "read again", from: .errors)
        let event = try #require(try client.readLine())
        #expect(event.contains(#""path":"films.0.rating""#) && event.contains(#""new":0"#), "\(event)")
        #expect(
            try client.ask(#"{"id":2,"method":"set","params":{"path":"films.0.year","value":1.5}}"#)?
                .contains("films.0.year") == true
        )
        daemon.process.signal(SIGKILL)
        try daemon.process.wait()
        let next = try state.start()
        #expect(try next.observectl("get", "films.0.year").output == "1.5\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a kill while a start adapts leaves the one state or the other`() throws {
        let daemon = try state.start()
        let count = many(2000, usually: 500)
        let films = (0..<count).map { #"{"title":"F\#($0)","year":\#($0)}"# }.joined(separator: ",")
        #expect(try daemon.observectl("set", "films", "-", input: "[\(films)]").status == .exited(0))
        #expect(try daemon.stop().status == .exited(0))
        var adapted = 0
        var isText = false
        let kills = Platform.environment("OBSERVED_KILLS").flatMap { Int($0) } ?? 12
        for round in 0..<kills {
            try state.configure(TypeChangeTests.films(year: isText ? "Int" : "String"))
            let process = try state.spawn(["--adapt"])
            let sentences = ["the models come from", "models persist", "is saved in", "is reset to"]
            for sentence in sentences[...(round % sentences.count)] {
                try process.readLine(containing: sentence, from: .errors)
            }
            process.signal(SIGKILL)
            try process.wait()
            let open = try state.start(configuration: "none")
            let values = try open.observectl("get", "films.0.year", "films.\(count - 1).year").output
            let expected = [("0", "\(count - 1)"), ("0", "0"), ("\"\"", "\"\"")].map {
                "films.0.year\t\($0)\nfilms.\(count - 1).year\t\($1)\n"
            }
            #expect(expected.contains(values), "\(values)")
            let wasText = isText
            isText = values == expected[2]
            if isText != wasText { adapted += 1 }
            #expect(try open.stop().status == .exited(0))
        }
        #expect(adapted > 0)
        if kills > 12 { print("\(kills) kills, \(adapted) after adapting") }
    }
}

extension TypeChangeTests {
    /// The sample's binding carries a computed property.
    @Test(.timeLimit(.minutes(15)), arguments: ["a start", "SIGHUP", "an upgrade"])
    func `without the configuration's types, a binding rests`(change: String) throws {
        let sample = Document.text("config/observed.json")
        try state.configure(sample)
        var daemon = try state.start()
        func headline() throws -> String { try daemon.observectl("get", "library.headline").output }
        #expect(try daemon.observectl("set", "library.films.0.year", "1980").status == .exited(0))
        func adopt(_ configuration: String) throws {
            try state.configure(configuration)
            switch change {
            case "SIGHUP":
                daemon.process.signal(SIGHUP)
                try daemon.process.readLine(containing: "was read again", from: .errors)
            case "an upgrade":
                #expect(try daemon.observectl("upgrade").status == .exited(0))
                try daemon.process.readLine(containing: "after an upgrade", from: .errors)
            default:
                #expect(try daemon.stop().status == .exited(0))
                daemon = try state.start()
            }
        }
        for _ in 1...2 {
            try adopt("{}")
            #expect(try headline() == "\"Alien (1980)\"\n")
            #expect(
                try daemon.observectl("get", "library.films.0").output == #"{"title":"Alien","year":1980}"#
                    + "\n"
            )
        }
        try adopt(sample)
        #expect(try headline() == "\"Alien (1980)\"\n")
        #expect(try daemon.observectl("set", "library.films.0.year", "1981").status == .exited(0))
        #expect(try headline() == "\"Alien (1981)\"\n")
        #expect(try daemon.stop().status == .exited(0))
    }
}

/// A state folder, and a configuration that changes.
private final class ChangingState {
    let directory: TemporaryDirectory

    init(_ configuration: String) throws {
        directory = try TemporaryDirectory()
        try configure(configuration)
    }

    func configure(_ text: String) throws { _ = try directory.write(text, to: "observed.json") }

    private func arguments(_ configuration: String?) -> [String] {
        ["--config", configuration ?? directory.path("observed.json"), "--state", directory.path("state")]
    }

    /// Starts the daemon, and returns once it has logged these sentences and is ready.
    func start(
        _ more: [String] = [],
        configuration: String? = nil,
        logging sentences: [String] = []
    ) throws -> DaemonUnderTest {
        try DaemonUnderTest(in: directory, arguments(configuration) + more, logging: sentences)
    }

    func spawn(_ more: [String]) throws -> ChildProcess {
        try ChildProcess(
            BuiltProducts.observed,
            ["--socket", directory.path("observed.sock")] + arguments(nil) + more
        )
    }

    /// The log of a start that must fail.
    func refusedStart() throws -> String {
        let arguments = ["--socket", directory.path("observed.sock")] + arguments(nil)
        let refused = try ChildProcess.run(BuiltProducts.observed, arguments)
        #expect(refused.status == .exited(1))
        return refused.errors
    }

    /// The paths of the dumps in the state folder.
    func dumps() throws -> [String] {
        let folder = try StateFolder.open(directory.path("state"))
        return try folder.names().filter { $0.hasPrefix("before-") && $0.hasSuffix(".jsonl") }
            .map { folder.place($0) }
    }
}
