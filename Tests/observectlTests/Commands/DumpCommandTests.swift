// SPDX-License-Identifier: MIT
// dump and load: the parts of their requests, their output, and their endings.

import ObserveCore
import Synchronization
import Testing

@testable import observectl

struct DumpCommandTests {
    private func part(_ number: Int, _ text: String, more: Bool) -> FakeDaemon.Reply {
        let text = RawJSON(.string(text)).text
        let result = #"{"part":\#(number),"revision":1,"epoch":"e","more":\#(more),"text":\#(text)}"#
        return .init(lines: [#"{"jsonrpc":"2.0","id":\#(number + 1),"result":\#(result)}"#])
    }

    @Test(arguments: [[], ["a.b"]])
    func `dump requests one part after another, and prints the text verbatim`(path: [String]) throws {
        let daemon = try FakeDaemon { line in
            line.contains(#""part":0"#)
                ? part(0, "one\u{1F600}\n", more: true) : part(1, "two\n", more: false)
        }
        let run = try ToolRun(["--socket", daemon.path, "dump"] + path)
        #expect(run.ending == .status(.done))
        #expect(run.output == "one\u{1F600}\ntwo\n")
        #expect(run.error.isEmpty)
        let first = path.isEmpty ? "" : #","path":"a.b""#
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"dump","params":{"part":0\#(first)}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"dump","params":{"part":1}}"#,
            ]
        )
    }

    @Test func `a cancelled dump ends with the daemon's message, and prints no last line`() throws {
        let daemon = try FakeDaemon { line in
            line.contains(#""part":0"#)
                ? part(0, "one\n", more: true)
                : .init(lines: [#"{"jsonrpc":"2.0","id":2,"error":{"code":6,"message":"given up"}}"#])
        }
        let run = try ToolRun(daemon, "dump")
        #expect(run.ending == .status(.refused))
        #expect(run.output == "one\n")
        #expect(run.error == "observectl: given up\n")
    }

    @Test func `an answer that is not a dump can't be printed as JSON`() throws {
        let daemon = try FakeDaemon { _ in part(0, "one\n", more: false) }
        let run = try ToolRun(daemon, "dump", "--json")
        #expect(run.ending == .status(.unavailable))
        #expect(run.output.isEmpty)
        #expect(run.error.contains("line 1 is not the first line of a dump"))
    }

    private func load(_ arguments: [String], input: [UInt8], limit: Int = .max) throws -> (ToolRun, [String])
    {
        let daemon = try FakeDaemon(connections: 2) { line in
            let id = line.split(separator: ",")[1].split(separator: ":")[1]
            guard line.utf8.count <= limit else {
                let error = #"{"code":-32600,"message":"a line holds at most \#(limit) bytes"}"#
                return .init(lines: [#"{"jsonrpc":"2.0","id":null,"error":\#(error)}"#])
            }
            return .init(lines: [#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#])
        }
        let run = try ToolRun(["--socket", daemon.path, "load"] + arguments, input: input)
        return (run, daemon.requests.filter { $0.contains(#""method":"load""#) })
    }

    private func texts(_ requests: [String]) throws -> String {
        try requests.map { try Value(json: Array($0.utf8), maxDepth: 10)["params"]?["text"]?.string ?? "" }
            .joined()
    }

    @Test func `load sends the file in parts, and marks the last one`() throws {
        let text = (0..<9000).map { "line \($0) ü\u{1F600}\n" }.joined()
        let (run, requests) = try load([], input: Array(text.utf8))
        #expect(run.ending == .status(.done))
        #expect(run.output.isEmpty && run.error.isEmpty)
        #expect(requests.count == text.utf8.count / (64 << 10) + 1)
        #expect(try texts(requests) == text)
        for (index, request) in requests.enumerated() {
            let isLast = index == requests.count - 1
            #expect(request.contains(#""params":{"part":\#(index),"last":\#(isLast),"text":""#))
        }
    }

    @Test func `if lines are too long, load sends shorter ones`() throws {
        let text = (0..<900).map { "line \($0) ü\u{1F600}\n" }.joined()
        let (run, requests) = try load(["-"], input: Array(text.utf8), limit: 500)
        #expect(run.ending == .status(.done))
        #expect(try texts(requests.filter { $0.utf8.count <= 500 }) == text)
        #expect(requests.count { $0.utf8.count > 500 } < 10)
        let (refused, _) = try load(["-"], input: Array(text.utf8), limit: 50)
        #expect(refused.ending == .status(.refused))
        #expect(refused.error == "observectl: standard input: a line holds at most 50 bytes\n")
    }

    @Test func `load --json sends JSON to a path`() throws {
        let (run, requests) = try load(["--json", "a.b"], input: Array("[1]\n".utf8))
        #expect(run.ending == .status(.done))
        #expect(
            requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"load","params":{"part":0,"last":true,"path":"a.b","text":"[1]\n"}}"#
            ]
        )
    }

    @Test func `load names bytes that are not text, and sends none of them`() throws {
        let daemon = try FakeDaemon(result: "{}")
        let input = Array("one\ntwo ".utf8) + [0xFF, 0x0A]
        let run = try ToolRun(["--socket", daemon.path, "load"], input: input)
        #expect(daemon.requests.count == 1)
        #expect(run.ending == .status(.refused))
        #expect(run.error == "observectl: standard input: line 2, at byte 8, is not UTF-8 text\n")
    }

    @Test(arguments: [["/dev/zero"], ["-"], ["--json", "a", "/dev/zero"]])
    func `load refuses more bytes than the daemon has memory for`(arguments: [String]) throws {
        let limits = #"{"maxTreeBytes":{"max":100000,"used":1},"maxBufferedBytes":{"max":70000,"used":1}}"#
        let daemon = try FakeDaemon(result: #"{"limits":\#(limits)}"#)
        let input = [UInt8](repeating: 0x20, count: 70_001)
        let run = try ToolRun(["--socket", daemon.path, "load"] + arguments, input: input)
        #expect(run.ending == .status(.refused))
        let file = arguments.last == "-" ? "standard input" : "/dev/zero"
        let limit = "the limit of 70000 bytes (maxBufferedBytes)"
        #expect(
            run.error == "observectl: \(file) is larger than \(limit); the daemon's configuration sets it\n"
        )
        #expect(daemon.requests.count == 1)
    }

    @Test func `a load that the daemon has no memory for names the limit`() throws {
        let daemon = try FakeDaemon(connections: 2) { line in
            line.contains("status")
                ? .init(lines: [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
                : .init(lines: [#"{"method":"goodbye","params":{"reason":"overflow"}}"#], isLast: true)
        }
        let run = try ToolRun(daemon, "load", input: "one\n")
        #expect(run.ending == .status(.refused))
        let lack = "the load takes more memory than the daemon's limit maxBufferedBytes allows"
        #expect(run.error == "observectl: standard input: \(lack)\n")
    }

    @Test func `load of JSON in place of a file offers set`() throws {
        let daemon = try FakeDaemon(result: "{}")
        let run = try ToolRun(daemon, "load", "--json", "a", "{}")
        #expect(run.ending == .status(.usage))
        let advice = "'observectl set PATH JSON' takes JSON from the command line"
        #expect(run.error.hasPrefix("observectl: {} does not exist; \(advice)\n"))
    }

    @Test func `load reports a missing file`() throws {
        let daemon = try FakeDaemon(result: "{}")
        let run = try ToolRun(daemon, "load", "/no/such/file")
        #expect(run.ending == .status(.inputOutput))
        #expect(run.error == "observectl: /no/such/file does not exist\n")
    }

    @Test(arguments: [
        ["load", "a", "b"], ["load", "--json"], ["load", "--json", "a", "b", "c"], ["dump", "a", "b"],
    ])
    func `a wrong command line is refused`(words: [String]) throws {
        #expect(try ToolRun(["--socket", "/nowhere"] + words).ending == .status(.usage))
    }
}
