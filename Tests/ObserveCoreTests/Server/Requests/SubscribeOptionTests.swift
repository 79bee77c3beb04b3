// SPDX-License-Identifier: MIT
// The options `tag` and `whole` of `subscribe`, and `paths` of `get`.

import Testing

@testable import ObserveCore

@Suite struct SubscribeOptionTests {
    private let hub = Hub.with([("a", #"{"x":1,"y":2,"r":[1,2]}"#)])
    private let client: FakeClient
    private let writer: FakeClient

    init() {
        client = FakeClient(hub, token: 1)
        writer = FakeClient(hub, token: 2)
    }

    private func set(_ path: String, _ json: String) {
        writer.send(#"{"method":"set","params":{"path":"\#(path)","value":\#(json)}}"#)
    }

    /// The client's new events, without their common head.
    private func events() -> [String] {
        client.take().map { $0.replacing(#"{"jsonrpc":"2.0","method":"change","params":"#, with: "") }
    }

    private func subscribe(_ params: String) -> String? {
        client.ask(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#).first
    }

    // MARK: tag

    @Test(arguments: [#""volume""#, #""""#, "7", "-9007199254740993", #""a\"b\u0001ü""#])
    func `the answer and every event have the tag behind the subscription's number`(tag: String) {
        let answer = subscribe(#""path":"a.x","tag":\#(tag),"initial":false"#)
        #expect(answer?.contains(#""result":{"subscription":1,"tag":\#(tag),"revision":"#) == true)
        set("a.x", "5")
        #expect(
            events() == [
                #"{"subscription":1,"tag":\#(tag),"path":"a.x","reason":"valueChanged","new":5,"revision":2}}"#
            ]
        )
    }

    @Test func `initial, prior, coalesced and replayed events have the tag, and those of patterns`() {
        let tag = #""tag":"t""#
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.x","prior":true,\#(tag)}}"#)
        _ = client.ask(#"{"id":2,"method":"subscribe","params":{"path":"a.**","old":true,\#(tag)}}"#)
        _ = client.ask(#"{"id":3,"method":"subscribe","params":{"path":"a.y","throttle":100,\#(tag)}}"#)
        set("a.x", "5")
        client.isAsleep = true
        for value in 6...9 { set("a.x", "\(value)") }
        set("a.y", "3")
        client.isAsleep = false
        let sent = client.take()
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":2}"#
        let replayed = client.ask(
            #"{"id":4,"method":"subscribe","params":{"path":"a.x","tag":"t",\#(since)}}"#
        )
        let lines = sent + replayed.dropFirst()
        #expect(lines.count > 6)
        for line in lines { #expect(line.contains(#","tag":"t","path":"#), "\(line)") }
        #expect(replayed.first?.contains(#""subscription":4,"tag":"t","#) == true)
    }

    @Test func `subscriptions without a tag on the same connection have none`() {
        _ = subscribe(#""path":"a.x","tag":1,"initial":false"#)
        _ = subscribe(#""path":"a.x","initial":false"#)
        set("a.x", "5")
        #expect(
            events() == [
                #"{"subscription":1,"tag":1,"path":"a.x","reason":"valueChanged","new":5,"revision":2}}"#,
                #"{"subscription":2,"path":"a.x","reason":"valueChanged","new":5,"revision":2}}"#,
            ]
        )
    }

    @Test(arguments: ["null", "1.5", "true", "[]", "{}", #""\#(String(repeating: "ü", count: 65))""#])
    func `another tag is refused`(tag: String) {
        let answer = subscribe(#""path":"a.x","tag":\#(tag)"#)
        #expect(
            answer?.contains(#""code":-32602,"message":"the param tag is a string of at most 128"#) == true
        )
        #expect(hub.clients.metrics.subscriptions == 0)
    }

    @Test func `a tag of 128 bytes is accepted, and unsubscribe frees it`() {
        let tag = String(repeating: "ü", count: 64)
        #expect(subscribe(#""path":"a.x","tag":"\#(tag)","initial":false"#)?.contains(tag) == true)
        _ = client.ask(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"#)
        #expect(client.session.subscriptions.tag(of: 1) == nil)
    }

    // MARK: whole

    @Test func `whole arrays have no kind and no indexes`() {
        _ = subscribe(#""path":"a.r","whole":true,"old":true,"initial":false"#)
        _ = subscribe(#""path":"a.**","whole":true,"initial":false"#)
        set("a.r.0", "7")
        writer.send(#"{"method":"insert","params":{"path":"a.r","value":8}}"#)
        #expect(
            Set(events()) == [
                #"{"subscription":1,"path":"a.r","reason":"valueChanged","new":[7,2],"old":[1,2],"revision":2}}"#,
                #"{"subscription":2,"path":"a.r","reason":"valueChanged","new":[7,2],"revision":2}}"#,
                #"{"subscription":1,"path":"a.r","reason":"valueChanged","new":[7,2,8],"old":[7,2],"revision":3}}"#,
                #"{"subscription":2,"path":"a.r","reason":"valueChanged","new":[7,2,8],"revision":3}}"#,
            ]
        )
    }

    @Test func `a resumed subscription gets whole arrays`() {
        set("a.r.0", "7")
        let since = #""since":{"epoch":"\#(hub.journaling.epoch)","revision":1}"#
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a.r","whole":true,\#(since)}}"#
        )
        #expect(
            lines.dropFirst() == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.r","reason":"valueChanged","new":[7,2],"revision":2}}"#
            ]
        )
    }

    // MARK: get

    @Test func `get reads several paths at one revision, in their order`() {
        let answer = client.ask(
            #"{"id":1,"method":"get","params":{"paths":["a.y","a.r.@count","a.n.x",["a","x"],"a.y"]}}"#
        )
        #expect(
            answer == [
                #"{"jsonrpc":"2.0","id":1,"result":{"values":[{"value":2},{"value":2},{"value":null,"nilAt":"a.n"},{"value":1},{"value":2}],"revision":1}}"#
            ]
        )
    }

    @Test func `get reads the daemon's own figures at one moment`() {
        let answer = client.ask(
            #"{"id":1,"method":"get","params":{"paths":["observed.uptime","a.x","observed.uptime"]}}"#
        )
        let values = (try? Value(json: answer[0]))?["result"]?["values"]?.array ?? []
        #expect(values.count == 3 && values[0] == values[2] && values[1]["value"] == 1, "\(answer)")
    }

    @Test(arguments: [
        (#""paths":[]"#, "the param paths is an array of at least one key path"),
        (#""paths":"a""#, "the param paths is an array of at least one key path"),
        (#""path":"a","paths":["a"]"#, "get needs the param path or the param paths, and not both"),
        (#""paths":["a.x","a.*"]"#, "the param paths is one key path, not a pattern"),
    ])
    func `get refuses other params`(params: String, message: String) {
        let answer = client.ask(#"{"id":1,"method":"get","params":{\#(params)}}"#)
        #expect(
            answer.count == 1 && answer[0].contains(#""code":-32602,"message":"\#(message)"#),
            "\(answer)"
        )
    }

    @Test func `the limit on rendered bytes is for all values together`() throws {
        var limits = ServerLimits()
        limits.tree.maxRenderedBytes = 100
        let hub = Hub.with([("a", #""\#(String(repeating: "x", count: 40))""#)], limits: limits)
        let client = FakeClient(hub, token: 1)
        #expect(client.ask(#"{"id":1,"method":"get","params":{"paths":["a"]}}"#)[0].contains("result"))
        let refused = client.ask(#"{"id":1,"method":"get","params":{"paths":["a","a","a"]}}"#)
        #expect(refused[0].contains(#""error":{"code":6,"#))
        #expect(!refused[0].contains("xxx"))
    }

    @Test func `get asks for access at each path`() {
        let guest = FakeClient(hub, token: 3, grant: Grant(read: [PathPrefix(["a", "x"])], write: []))
        let answer = guest.ask(#"{"id":1,"method":"get","params":{"paths":["a.x","a.y"]}}"#)
        #expect(
            answer == [
                #"{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"a.y may not be read by this client","data":{"name":"accessDenied","path":"a.y"}}}"#
            ]
        )
    }
}
