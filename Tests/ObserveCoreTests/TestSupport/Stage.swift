// SPDX-License-Identifier: MIT
// Named clients that connect, write, and disconnect. Independent of their writes.

import Testing

@testable import ObserveCore

/// A hub, a client that observes, and named clients that write.
final class Stage {
    private let talk: Conversation
    private var actors: [String: FakeClient] = [:]

    init(_ roots: [(String, String)]) { talk = Conversation(roots) }

    var tree: ModelTree { talk.hub.tree }
    var hub: Hub { talk.hub }
    var revision: UInt64 { talk.revision }

    func watch(_ path: String, options: String = "") { talk.watch(path, options: options) }
    func events() -> [String] { talk.events() }
    func value(_ path: String) -> String { talk.value(path) }
    func pass(_ milliseconds: UInt64) { talk.pass(milliseconds: milliseconds) }

    /// A write of the client with that name.
    @discardableResult
    func write(_ actor: String, _ method: String, _ params: String) -> String {
        let client = actors[actor] ?? FakeClient(hub, token: 100 + UInt64(actors.count))
        actors[actor] = client
        let lines = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
        return lines.last.map { String($0.dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast()) } ?? ""
    }

    @discardableResult
    func set(_ actor: String, _ path: String, _ json: String, _ lifetime: String? = nil) -> String {
        let end = lifetime.map { #","lifetime":\#($0)"# } ?? ""
        return write(actor, "set", #""path":"\#(path)","value":\#(json)\#(end)"#)
    }

    func close(_ actor: String) { actors.removeValue(forKey: actor)?.close() }

    /// Checks the tree's invariants.
    func check() {
        #expect(tree.faults() == [])
    }

    deinit { for client in actors.values { client.close() } }
}
