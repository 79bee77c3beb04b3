// SPDX-License-Identifier: MIT
// The lines of the contract of clients that catch up, one by one, with a client that sleeps.

import Testing

@testable import ObserveCore

@Suite struct CatchingUpContractTests {
    private let stage = SlowClientStage()

    /// Each line in short: an event as `1 a.x=2@4 valueChanged`, with `x2` for coalesced and `+` for more; an answer as
    /// `answer 7@4`.
    private func received(_ client: SlowClient) -> [String] {
        client.wake()
        return client.take().filter { !$0.contains(#""id":"z""#) }.map { line in
            guard let message = try? Value(json: line) else { return line }
            guard let event = message["params"] else {
                let revision = message["result"]?["revision"]?.int.map { "@\($0)" } ?? ""
                return "answer \(message["id"]?.int ?? -1)\(revision)"
            }
            let (path, reason) = (event["path"]?.string ?? "", event["reason"]?.string ?? "")
            let value = (event["new"] ?? "prior").isNull ? "null" : "\(event["new"]?.int ?? -1)"
            let count = event["coalesced"]?.int.map { " x\($0)" } ?? ""
            let more = event["more"] == true ? "+" : ""
            return
                "\(event["subscription"]?.int ?? 0) \(path)=\(value)@\(event["revision"]?.int ?? 0) \(reason)\(count)\(more)"
        }
    }

    @Test func `a caught-up event has the present revision`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y"]"#)
        stage.set("a.x", "1")
        stage.set("a.x", "2")
        stage.set("b", "1")
        #expect(received(client) == ["1 a.x=2@5 valueChanged x2"])
        stage.set("a.x", "3")
        #expect(received(client) == ["1 a.x=3@6 valueChanged"])
    }

    @Test func `the marks of a subscription are one frame at one revision`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y","a.m.k"]"#)
        stage.set("a.m.k", "7")
        stage.set("a.x", "1")
        stage.set("a.y", "2")
        stage.set("a.y", "3")
        stage.set("a.x", "0")
        let lines = received(client)
        #expect(
            Set(lines.map { $0.replacing("+", with: "") }) == [
                "1 a.m.k=7@7 valueChanged", "1 a.y=3@7 valueChanged x2",
            ]
        )
        #expect(lines.map { $0.hasSuffix("+") } == [true, false])
    }

    @Test func `a root that was removed and restored is one change of the path, even to an equal value`() {
        let client = stage.sleepingClient(#""path":"a.x""#)
        stage.remove("a")
        stage.set("a", #"{"x":0}"#)
        #expect(received(client).map(withoutCount) == ["1 a.x=0@4 pathChanged"])
        client.sleep()
        client.send(#"{"id":"z","method":"ping"}"#)
        stage.remove("a")
        stage.set("a", #"{"x":0}"#)
        stage.remove("a")
        #expect(received(client).map(withoutCount) == ["1 a.x=null@7 sourceDeleted"])
    }

    private func withoutCount(_ line: String) -> String {
        line.split(separator: " ").filter { !$0.hasPrefix("x") }.joined(separator: " ")
    }

    @Test(arguments: [#""a.x""#, #""a.x","a.y""#])
    func `while an initial event waits, a removed root gives just that event with null`(paths: String) {
        let client = stage.sleepingClient(#""path":"b""#)
        stage.subscribe(client, #""paths":[\#(paths)]"#)
        stage.set("a.x", "1")
        stage.remove("a")
        let lines = received(client)
        #expect(lines.first?.hasPrefix("answer 0@") == true)
        #expect(lines.count == 2 + paths.count { $0 == "," })
        #expect(lines.dropFirst().allSatisfy { $0.contains("=null@4 initial") }, "\(lines)")
    }

    @Test func `a waiting change that an own change assigns is sent in any case`() {
        let client = stage.sleepingClient(#""path":"a.x","own":false"#)
        stage.set("a.x", "1")
        client.send(#"{"method":"set","params":{"path":"a.x","value":5}}"#)
        stage.set("a.x", "0")
        #expect(received(client) == ["1 a.x=0@5 valueChanged x2"])
    }

    @Test func `an own change alone has no event`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y"],"own":false"#)
        client.send(#"{"method":"set","params":{"path":"a.x","value":5}}"#)
        #expect(received(client) == [])
    }

    @Test(arguments: [#""throttle":50"#, #""debounce":50"#])
    func `a paced subscription is not resumed`(pace: String) {
        let client = FakeClient(stage.hub, token: 1)
        let since = #""since":{"epoch":"\#(stage.hub.journaling.epoch)","revision":2}"#
        stage.set("a.x", "1")
        let lines = client.ask(
            #"{"id":1,"method":"subscribe","params":{"path":"a.x","initial":false,\#(pace),\#(since)}}"#
        )
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""initial":1,"resumed":false"#) == true)
        #expect(lines.last?.contains(#""reason":"initial","new":1"#) == true)
    }

    @Test func `the changes before a request and its own events precede its answer`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.y"]"#)
        stage.set("a.x", "1")
        client.send(#"{"id":1,"method":"set","params":{"path":"a.y","value":5}}"#)
        stage.set("a.x", "2")
        #expect(
            received(client) == [
                "1 a.x=1@3 valueChanged", "1 a.y=5@4 valueChanged", "answer 1@4", "1 a.x=2@5 valueChanged",
            ]
        )
    }

    @Test func `a notification brings up nothing`() {
        let client = stage.sleepingClient(#""path":"a.x""#)
        stage.set("a.x", "1")
        client.send(#"{"method":"set","params":{"path":"a.y","value":5}}"#)
        #expect(
            stage.writer.ask(#"{"id":1,"method":"get","params":{"path":"a.y"}}"#)[0].contains(#""value":5"#)
        )
        stage.set("a.x", "2")
        #expect(received(client) == ["1 a.x=2@5 valueChanged x2"])
    }

    @Test func `unsubscribe catches up first`() {
        let client = stage.sleepingClient(#""path":"a.x""#)
        stage.set("a.x", "1")
        client.send(#"{"id":1,"method":"unsubscribe","params":{"subscription":1}}"#)
        stage.set("a.x", "2")
        #expect(received(client) == ["1 a.x=1@3 valueChanged", "answer 1"])
        stage.set("a.x", "3")
        #expect(received(client) == [])
    }

    @Test func `a caught-up change has no prior event`() {
        let client = stage.sleepingClient(#""path":"a.x","prior":true"#)
        stage.set("a.x", "1")
        #expect(received(client) == ["1 a.x=1@3 valueChanged"])
    }

    @Test func `a path that returned to the value that the client saw has no event`() {
        let client = stage.sleepingClient(#""paths":["a.x","a.m.k"]"#)
        stage.set("a.x", "1")
        stage.set("a.m.k", "2")
        stage.set("a.x", "0")
        stage.set("a.m", #"{"k":1}"#)
        #expect(received(client) == [])
        client.close()
        stage.writer.close()
        #expect(stage.hub.clientRecords == Hub.noClientRecords)
    }
}
