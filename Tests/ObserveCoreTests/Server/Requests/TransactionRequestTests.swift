// SPDX-License-Identifier: MIT
// Transactions on the wire and their refusals, in whole lines.

import Testing

@testable import ObserveCore

struct TransactionRequestTests {
    @Test(arguments: [
        (#"{}"#, "-32602"),
        (#"{"operations":[]}"#, "-32602"),
        (#"{"operations":{}}"#, "-32602"),
        (#"{"operations":null}"#, "-32602"),
        (#"{"operations":[\#(good)],"more":1}"#, "-32602"),
        (#"{"operations":[\#(good),5]}"#, #"-32602 {"operation":1}"#),
        (#"{"operations":[\#(good),[]]}"#, #"-32602 {"operation":1}"#),
        (#"{"operations":[null]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"params":{"path":"t"}}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":5,"params":{"path":"t"}}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":"remove","params":["t"]}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":"remove","params":null}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":"remove"}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":"remove","params":{"path":"t","x":1}}]}"#, #"-32602 {"operation":0}"#),
        (
            #"{"operations":[\#(good),\#(good),{"method":"remove","params":{"path":"t"},"id":1}]}"#,
            #"-32602 {"operation":2}"#
        ),
        (#"{"operations":[{"method":"get","params":{"path":"t"}}]}"#, #"-32602 {"operation":0}"#),
        (#"{"operations":[{"method":"bind","params":{}}]}"#, #"-32602 {"operation":0}"#),
        (
            #"{"operations":[{"method":"transaction","params":{"operations":[\#(good)]}}]}"#,
            #"-32602 {"operation":0}"#
        ),
        // An unknown method has the same error as elsewhere.
        (#"{"operations":[\#(good),{"method":"nonsense","params":{}}]}"#, #"-32601 {"operation":1}"#),
        (#"{"operations":[{"method":"Set","params":{}}]}"#, #"-32601 {"operation":0}"#),
        (#"{"operations":[{"method":"","params":{}}]}"#, #"-32601 {"operation":0}"#),
        (#"{"operations":[{"method":"set","params":{"path":"t.*","value":1}}]}"#, #"-32602 {"operation":0}"#),
        (
            #"{"operations":[{"method":"set","params":{"path":"t","value":1e999}}]}"#,
            #"-32602 {"operation":0}"#
        ),
        (
            #"{"operations":[{"method":"set","params":{"path":"t","value":1,"lifetime":"soon"}}]}"#,
            #"-32602 {"operation":0}"#
        ),
        (
            #"{"operations":[\#(good),{"method":"set","params":{"path":"t.n.x","value":1}},5]}"#,
            #"1 {"name":"notFound","path":"t.n","operation":1}"#
        ),
        (
            #"{"operations":[{"method":"link","params":{"path":"t.n","target":"t"}}]}"#,
            #"7 {"name":"referenceCycle","path":"t.n","operation":0}"#
        ),
    ])
    func `a refused transaction changes nothing`(params: String, refusal: String) {
        let talk = Conversation([("t", #"{"n":null}"#)])
        talk.watch("t.g", "t.n")
        #expect(talk.refusal("transaction", params) == refusal)
        #expect(talk.value("t") == #"{"n":null}"#)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 1)
    }

    private static let good = #"{"method":"set","params":{"path":"t.g","value":1}}"#

    @Test func `member names compare after unescaping`() {
        let talk = Conversation([("t", "{}")])
        talk.ask(
            "transaction",
            #"{"\u006fperations":[{"m\u0065thod":"s\u0065t","p\u0061rams":{"p\u0061th":"t.\u0061","value":1}}]}"#
        )
        #expect(talk.value("t") == #"{"a":1}"#)
    }

    @Test func `a transaction's own events precede its answer, in one pass`() {
        let hub = Hub.with([("t", #"{"a":1,"r":[]}"#)])
        let client = FakeClient(hub)
        client.send(#"{"method":"subscribe","params":{"paths":["t.a","t.r"],"initial":false}}"#)
        let operations = [
            #"{"method":"increment","params":{"path":"t.a"}}"#,
            #"{"method":"insert","params":{"path":"t.r","value":"x"}}"#,
            #"{"method":"increment","params":{"path":"t.a"}}"#,
        ].joined(separator: ",")
        let results =
            #"{"revision":2,"changed":true,"value":2},{"revision":2,"changed":true},{"revision":2,"changed":true,"value":3}"#
        #expect(
            client.ask(#"{"id":7,"method":"transaction","params":{"operations":[\#(operations)]}}"#) == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"t.a","reason":"valueChanged","new":3,"revision":2,"more":true}}"#,
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"t.r","reason":"valueChanged","new":["x"],"kind":"insertion","indexes":[0],"revision":2}}"#,
                #"{"jsonrpc":"2.0","id":7,"result":{"revision":2,"changed":true,"results":[\#(results)]}}"#,
            ]
        )
        client.close()
    }

    @Test func `the hub executes a transaction as a notification, without an answer`() {
        let hub = Hub.with([("t", "1")])
        let client = FakeClient(hub)
        let good = #"{"method":"increment","params":{"path":"t"}}"#
        #expect(client.ask(#"{"method":"transaction","params":{"operations":[\#(good)]}}"#).isEmpty)
        #expect(client.ask(#"{"method":"transaction","params":{"operations":[\#(good),5]}}"#).isEmpty)
        #expect(
            client.ask(#"{"id":1,"method":"get","params":{"path":"t"}}"#).first?.contains(#""value":2,"#)
                == true
        )
        client.close()
    }

    @Test func `each transaction of a batch is its own commit`() {
        let hub = Hub.with([("t", "1")])
        let client = FakeClient(hub)
        let good = #"{"method":"increment","params":{"path":"t"}}"#
        let lines = client.ask(
            #"[{"id":1,"method":"transaction","params":{"operations":[\#(good),\#(good)]}},{"id":2,"method":"transaction","params":{"operations":[\#(good),7]}},{"id":3,"method":"increment","params":{"path":"t"}}]"#
        )
        let results = #"[{"revision":2,"changed":true,"value":2},{"revision":2,"changed":true,"value":3}]"#
        let error =
            #"{"code":-32602,"message":"an operation is an object with a method and params","data":{"operation":1}}"#
        #expect(
            lines == [
                #"[{"jsonrpc":"2.0","id":1,"result":{"revision":2,"changed":true,"results":\#(results)}},{"jsonrpc":"2.0","id":2,"error":\#(error)},{"jsonrpc":"2.0","id":3,"result":{"revision":3,"changed":true,"value":4}}]"#
            ]
        )
        client.close()
    }

    @Test func `values nest as deep in an operation as in a request`() {
        let talk = Conversation([("t", "{}")])
        let depth = talk.hub.tree.limits.maxDepth
        func value(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        func set(_ levels: Int) -> String {
            #"{"method":"set","params":{"path":"t.a","value":\#(value(levels))}}"#
        }
        #expect(talk.ask("transaction", #"{"operations":[\#(set(depth))]}"#).hasPrefix(#"{"revision":2"#))
        #expect(
            talk.refusal("transaction", #"{"operations":[\#(set(depth + 1))]}"#)
                == #"6 {"name":"limitExceeded","operation":0}"#
        )
        let batch = #"[{"id":1,"method":"transaction","params":{"operations":[\#(set(depth + 1))]}}]"#
        #expect(talk.client.ask(batch).first?.contains(#""code":6,"#) == true)
        #expect(
            talk.refusal("set", #"{"path":"t.a","value":\#(value(depth + 1))}"#)
                == #"6 {"name":"limitExceeded"}"#
        )
    }

    @Test func `status lists the capabilities`() {
        let talk = Conversation()
        for name in ["merge", "insert", "increment", "transaction"] {
            #expect(talk.ask("status", "{}").contains(#""\#(name)""#))
        }
    }
}
