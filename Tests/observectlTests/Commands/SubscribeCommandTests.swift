// SPDX-License-Identifier: MIT
// The request of subscribe, its output, and its endings.

import ObserveCore
import Synchronization
import TestSupport
import Testing

@testable import observectl

struct SubscribeCommandTests {
    private static func answer(initial: Int) -> String {
        #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":1,"initial":\#(initial)}}"#
    }

    private static func params(_ new: String?, _ reason: String = "valueChanged") -> String {
        let value = new.map { #""new":\#($0)"# } ?? #""truncated":true"#
        return #"{"subscription":1,"path":"a","reason":"\#(reason)",\#(value),"revision":2}"#
    }

    private static func event(_ new: String?, _ reason: String = "valueChanged") -> String {
        #"{"jsonrpc":"2.0","method":"change","params":\#(params(new, reason))}"#
    }

    private static let goodbye = #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"shutdown"}}"#

    /// A daemon that answers the subscription with those lines and stays, or ends.
    private func daemon(_ lines: [String], isLast: Bool = false) throws -> FakeDaemon {
        try FakeDaemon { _ in .init(lines: lines, isLast: isLast) }
    }

    @Test(arguments: [
        (["a"], #"{"path":"a"}"#),
        (["a", "b.*", "c.**"], #"{"paths":["a","b.*","c.**"]}"#),
        (["a", "--no-initial", "--old"], #"{"path":"a","initial":false,"old":true}"#),
        (["--old", "a", "--raw"], #"{"path":"a","old":true,"whole":true}"#),
        (["a", "b", "--under", "x.y"], #"{"paths":["x.y.a","x.y.b"]}"#),
        (["a", "--whole", "--prior"], #"{"path":"a","prior":true,"whole":true}"#),
        (["a", "--tag", "5", "--every"], #"{"path":"a","tag":"5","delivery":"every"}"#),
        (["a", "--since", "e:f:41"], #"{"path":"a","since":{"epoch":"e:f","revision":41}}"#),
        (["a", "--format", "{}", "--no-initial"], #"{"path":"a","whole":true}"#),
        (["a", "--format", "{@old} {@pid}"], #"{"path":"a","old":true,"origin":true,"whole":true}"#),
        (["a", "b", "--format=waybar"], #"{"paths":["a","b"],"whole":true}"#),
        (["a", "--origin", "--throttle", "50ms"], #"{"path":"a","origin":true,"throttle":50}"#),
        (["--debounce=0", "a"], #"{"path":"a","debounce":0}"#),
        (["--", "-a", "--b"], #"{"paths":["-a","--b"]}"#),
    ])
    func `subscribe sends one request for all paths`(words: [String], params: String) throws {
        let daemon = try daemon([Self.answer(initial: 0)], isLast: true)
        _ = try ToolRun(["--socket", daemon.path, "subscribe", "--no-reconnect"] + words)
        #expect(
            daemon.requests == [#"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":\#(params)}"#]
        )
    }

    @Test(arguments: [[], ["--pretty"], ["--color", "always"]])
    func `with -0, each event ends with NUL, also in colour`(options: [String]) throws {
        let daemon = try daemon([Self.answer(initial: 1), Self.event("5", "initial")], isLast: true)
        let run = try ToolRun(
            ["--socket", daemon.path, "subscribe", "-0", "--count", "1", "a"] + options
        )
        #expect(run.output == Self.params("5", "initial") + "\0")
    }

    @Test func `subscribe prints each event's params verbatim until the daemon ends`() throws {
        let daemon = try daemon(
            [Self.answer(initial: 1), Self.event("1.50", "initial"), Self.event(#"{"b":"\u00e9","a":1e3}"#)],
            isLast: true
        )
        let run = try ToolRun(daemon, "subscribe", "a", "--no-reconnect")
        #expect(
            run.output == Self.params("1.50", "initial") + "\n" + Self.params(#"{"b":"\u00e9","a":1e3}"#)
                + "\n"
        )
        #expect(run.ending == .status(.unavailable))
        #expect(run.error == "observectl: the daemon has gone\n")
    }

    @Test func `--raw prints the new value alone`() throws {
        let values = [#""on""#, "null", "1.50", #"{"a":"x"}"#, #""one\ntwo""#, #""""#]
        let daemon = try daemon([Self.answer(initial: 0)] + values.map { Self.event($0) })
        let run = try ToolRun(daemon, "subscribe", "a", "--raw", "--count", "6")
        #expect(run.output == "on\nnull\n1.50\n{\"a\":\"x\"}\none\ntwo\n\n")
        #expect(run.ending == .status(.done))
    }

    @Test func `--raw reports a value that was too large, and prints nothing in its place`() throws {
        let daemon = try daemon([Self.answer(initial: 0), Self.event(nil), Self.event("1")])
        let run = try ToolRun(daemon, "subscribe", "a", "--raw", "--count", "2")
        #expect(run.output == "1\n")
        #expect(run.error == "observectl: a new value is larger than the daemon shows\n")
        #expect(run.ending == .status(.done))
    }

    @Test(arguments: [0, 1, 2, 3])
    func `--count ends subscribe after that many events`(count: Int) throws {
        let events = ["1", "2", "3", "4"]
        let daemon = try daemon([Self.answer(initial: 0)] + events.map { Self.event($0) })
        let run = try ToolRun(daemon, "subscribe", "a", "--raw", "--count", "\(count)")
        #expect(run.output == events.prefix(count).map { "\($0)\n" }.joined())
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
    }

    @Test func `subscribe is ready once it has printed the initial values`() throws {
        let daemon = try daemon(
            [Self.answer(initial: 2), Self.event("1", "initial"), Self.event("2", "initial")],
            isLast: true
        )
        let run = try ToolRun(daemon, "subscribe", "a.*", "--ready", "--count", "2")
        #expect(run.error == "ready\n")
        let other = try self.daemon([Self.answer(initial: 0)], isLast: true)
        #expect(
            try ToolRun(other, "subscribe", "a", "--no-initial", "--ready", "--no-reconnect").error
                == "ready\nobservectl: the daemon has gone\n"
        )
    }

    @Test func `subscribe is not ready before the initial values`() throws {
        let daemon = try daemon([Self.answer(initial: 2), Self.event("1", "initial"), Self.event("2")])
        let run = try ToolRun(daemon, "subscribe", "a.*", "--ready", "--count", "2")
        #expect(run.error.isEmpty)
    }

    @Test func `a timeout is status 124, whatever was printed`() throws {
        let daemon = try daemon([Self.answer(initial: 0), Self.event("1")])
        let run = try ToolRun(daemon, "subscribe", "a", "--raw", "--count", "2", "--timeout", "0.5")
        #expect(run.output == "1\n")
        #expect(run.ending == .status(.timedOut))
        #expect(run.error == "observectl: timed out\n")
    }

    @Test func `a goodbye is reported after the events before it`() throws {
        let daemon = try daemon([Self.answer(initial: 0), Self.event("1"), Self.goodbye], isLast: true)
        let run = try ToolRun(daemon, "subscribe", "a", "--raw", "--no-reconnect")
        #expect(run.output == "1\n")
        #expect(run.ending == .status(.unavailable))
        #expect(run.error == "observectl: the daemon is shutting down\n")
    }

    @Test func `a refused subscription is status 1`() throws {
        let daemon = try daemon([#"{"id":1,"error":{"code":1,"message":"Film has no property titel"}}"#])
        let run = try ToolRun(daemon, "subscribe", "film.titel")
        #expect(run.ending == .status(.refused))
        #expect(run.error == "observectl: Film has no property titel\n")
    }

    @Test func `if its output has no reader, subscribe ends without an event`() throws {
        let daemon = try daemon([Self.answer(initial: 0)])
        var outputs = try SocketPair(nonBlocking: false)
        let errors = try SocketPair(nonBlocking: false)
        outputs.second.close()
        let process = ToolProcess(
            streams: StandardStreams(
                input: -1,
                output: outputs.first.number,
                error: errors.first.number
            ),
            environment: { _ in nil },
            uid: Platform.uid
        )
        let tool = CommandLineTool(process: process, commands: CommandTable.all)
        #expect(tool.run(["--socket", daemon.path, "subscribe", "a"]) == .signal(13))
    }

    @Test func `subscribe continues after a loss with the missed changes, and prints none twice`() throws {
        func event(
            _ path: String,
            _ new: Int,
            _ revision: Int,
            _ reason: String = "valueChanged",
            hasMore: Bool = false
        ) -> String {
            let more = hasMore ? #","more":true"# : ""
            return
                #"{"method":"change","params":{"path":"\#(path)","subscription":1,"reason":"\#(reason)","new":\#(new),"revision":\#(revision)\#(more)}}"#
        }
        func answer(_ revision: Int, _ rest: String) -> String {
            #"{"id":1,"result":{"subscription":1,"revision":\#(revision),"epoch":"e",\#(rest)}}"#
        }
        let replies: [[String]] = [
            [
                answer(5, #""initial":2,"resumed":false"#), event("a", 1, 5, "initial", hasMore: true),
                event("b", 2, 5, "initial"),
            ],
            [
                answer(7, #""initial":0,"resumed":true,"replayed":2"#), event("a", 3, 6),
                event("a", 4, 7, hasMore: true),
            ],
            // Cut within commit 7, which changed `b` too: the frame comes again, whole.
            [
                answer(8, #""initial":0,"resumed":true,"replayed":3"#), event("a", 4, 7, hasMore: true),
                event("b", 5, 7, hasMore: true), event("b", 6, 8),
            ],
            [
                answer(9, #""initial":2,"resumed":false"#), event("a", 7, 9, "initial", hasMore: true),
                event("b", 8, 9, "initial"),
            ],
        ]
        let next = Mutex(0)
        let daemon = try FakeDaemon(connections: 4) { _ in
            let turn = next.withLock { count in
                count += 1
                return count - 1
            }
            return .init(lines: replies[turn], isLast: turn < 3)
        }
        let run = try ToolRun(daemon, "subscribe", "a", "b", "--raw", "--count", "8")
        #expect(run.output == "a\t1\nb\t2\na\t3\na\t4\nb\t5\nb\t6\na\t7\nb\t8\n")
        #expect(run.ending == .status(.done))
        let line = "observectl: the daemon has gone; waiting for it\nobservectl: the daemon is back\n"
        #expect(run.error == line + line + line)
        let since = daemon.requests.map {
            $0.split(separator: #""since":"#).dropFirst().first.map(String.init) ?? ""
        }
        #expect(
            since == [
                "", #"{"epoch":"e","revision":5}}}"#, #"{"epoch":"e","revision":6}}}"#,
                #"{"epoch":"e","revision":8}}}"#,
            ]
        )
    }

    private static func event(_ path: String, _ new: Int, _ revision: Int, more: Bool) -> String {
        let rest = more ? #","more":true"# : ""
        return
            #"{"method":"change","params":{"subscription":1,"path":"\#(path)","reason":"initial","new":\#(new),"revision":\#(revision)\#(rest)}}"#
    }

    @Test func `--no-initial leaves out the values at the start alone, not those after a restart`() throws {
        let next = Mutex(0)
        let daemon = try FakeDaemon(connections: 2) { _ in
            let turn = next.withLock { count in
                count += 1
                return count
            }
            let events = [
                Self.event("a.x", turn, 5, more: true), Self.event("a.y", turn, 5, more: false),
            ]
            return .init(lines: [Self.answer(initial: 2)] + events, isLast: turn == 1)
        }
        let run = try ToolRun(
            ["--socket", daemon.path, "subscribe", "--no-initial", "--all", "--count", "2", "-t", "10s"]
                + ["--format", "{@path} {}", "a.*"]
        )
        #expect(run.ending == .status(.done))
        #expect(run.output == "a.x 2\na.y 2\n")
    }

    @Test(arguments: [("1", "e:1"), ("2", "e:2"), ("3", "e:3"), ("4", "e:3"), ("5", "e:3"), ("6", "e:4")])
    func `--resume with --count keeps the last missed commit that was printed whole`(
        count: String,
        position: String
    ) throws {
        let events = [("a", 2), ("b", 2), ("a", 3), ("a", 4), ("b", 4), ("c", 4)]
        let lines = events.enumerated().map { index, event in
            Self.event(event.0, 0, event.1, more: index < 5).replacing("initial", with: "valueChanged")
        }
        let answer =
            #"{"id":1,"result":{"subscription":1,"revision":4,"epoch":"e","initial":0,"resumed":true,"replayed":6}}"#
        let daemon = try daemon([answer] + lines)
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let file = "\(folder.path)/position"
        try Platform.replaceFile(file, "e:1\n".bytes)
        let run = try ToolRun(daemon, "subscribe", "a", "b", "c", "--count", count, "--resume", file)
        #expect(run.ending == .status(.done))
        #expect(try Platform.readFile(file, limitBytes: 100) == "\(position)\n".bytes)
    }
}
