// SPDX-License-Identifier: MIT
// A client with its own hub, for tests as requests and answers. Independent of the methods' params.

import Testing

@testable import ObserveCore

/// A client's conversation with a hub.
///
/// Takes a method and its params, and returns the answer's `result` or `error` as text.
final class Conversation {
    let hub: Hub
    let client: FakeClient
    /// Subscribes, and hears what the client's writes do.
    let watcher: FakeClient
    private let clock = TestClock()
    private var subscriptions = 0

    init(_ roots: [(String, String)] = [], limits: ServerLimits = ServerLimits()) {
        hub = .with(roots, limits: limits, clock: clock)
        client = FakeClient(hub, token: 1)
        watcher = FakeClient(hub, token: 2)
    }

    deinit {
        client.close()
        watcher.close()
    }

    /// Lets time pass for the hub.
    func pass(milliseconds: UInt64) { clock.pass(milliseconds: milliseconds, in: hub) }

    var revision: UInt64 { hub.tree.revision }

    /// The answer's `result`, or the whole error object.
    @discardableResult
    func ask(_ method: String, _ params: String) -> String {
        let lines = client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#)
        guard lines.count == 1 else { return "\(lines.count) lines" }
        for head in [#"{"jsonrpc":"2.0","id":1,"result":"#, #"{"jsonrpc":"2.0","id":1,"error":"#]
        where lines[0].hasPrefix(head) {
            return String(lines[0].dropFirst(head.count).dropLast())
        }
        return lines[0]
    }

    /// The error's code and `data`, without its message.
    func refusal(_ method: String, _ params: String) -> String {
        let answer = ask(method, params)
        guard let value = try? Value(json: Array(answer.utf8), maxDepth: 100), let code = value["code"]?.int
        else {
            return answer
        }
        #expect(value["message"]?.string?.isEmpty == false)
        guard let data = value["data"] else { return "\(code)" }
        let buffer = ByteBuffer()
        data.write(to: buffer)
        return "\(code) \(buffer.string)"
    }

    /// The answer of `get`, without `nilAt`.
    func value(_ path: String) -> String {
        let answer = ask("get", #"{"path":"\#(path)"}"#)
        let end = answer.range(of: #","nilAt":"#) ?? answer.range(of: #","revision":"#)
        guard let end, answer.hasPrefix(#"{"value":"#) else { return answer }
        return String(answer[..<end.lowerBound].dropFirst(9))
    }

    /// The identity of the model at a path.
    func instance(_ path: String) -> Int64? {
        let answer = ask("describe", #"{"path":"\#(path)"}"#)
        return (try? Value(json: Array(answer.utf8), maxDepth: 100))?["instance"]?.int
    }

    /// Observes these paths from now on, with old values.
    func watch(_ paths: String..., options: String = "") {
        for path in paths {
            watcher.send(
                #"{"method":"subscribe","params":{"path":"\#(path)","initial":false,"old":true\#(options)}}"#
            )
        }
        #expect(watcher.take().isEmpty)
    }

    /// The observer's new events, without the common members.
    func events() -> [String] {
        watcher.take().map { line in
            guard let start = line.range(of: #""path":"#), line.hasSuffix("}}") else { return line }
            return String(line[start.lowerBound...].dropLast(2))
        }
    }
}
