// SPDX-License-Identifier: MIT
// clients: the open connections with their figures and subscriptions.

import Testing

@testable import ObserveCore

@Suite struct ClientsTests {
    private let clock: TestClock
    private let hub: Hub

    init() {
        let clock = TestClock()
        self.clock = clock
        hub = .with([("app", #"{"volume":50,"list":[1,2]}"#)], clock: clock)
    }

    /// The answer's `clients`.
    private func clients(_ asker: FakeClient) throws -> [Value] {
        let line = try #require(asker.ask(#"{"id":"c","method":"clients"}"#).last)
        let answer = try Value(json: line)
        return try #require(answer["result"]?["clients"]?.array, "\(line)")
    }

    @Test func `each connection has its process, its counters and its subscriptions`() throws {
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        clock.pass(milliseconds: 1500, in: hub)
        second.send(
            #"{"id":1,"method":"subscribe","params":{"paths":["app.volume","app.list.@count"],"tag":"v"}}"#
        )
        second.send(#"{"id":2,"method":"subscribe","params":{"paths":["app.*","**","observed.revision"]}}"#)
        second.send(#"{"id":3,"method":"set","params":{"path":"mine","value":1,"lifetime":"connection"}}"#)
        #expect(
            first.ask(#"[{"method":"ping"},{"id":1,"method":"clients"}]"#) == [
                #"[{"jsonrpc":"2.0","id":1,"result":{"clients":["#
                    + #"{"connection":1,"pid":1001,"uid":501,"name":null,"seconds":1.5,"requests":2,"eventsSent":0,"#
                    + #""eventsCoalesced":0,"bytesWaiting":0,"lifetimes":0,"subscriptions":[],"furtherSubscriptions":0},"#
                    + #"{"connection":2,"pid":1002,"uid":502,"name":null,"seconds":1.5,"requests":3,"eventsSent":6,"#
                    + #""eventsCoalesced":0,"bytesWaiting":0,"lifetimes":1,"subscriptions":["#
                    + #"{"subscription":1,"paths":["app.volume","app.list.@count"],"tag":"v","eventsSent":2},"#
                    + #"{"subscription":2,"paths":["app.*","**","observed.revision"],"eventsSent":4}"#
                    + #"],"furtherSubscriptions":0}]}}]"#
            ]
        )
    }

    @Test func `a client that has gone is not listed, and numbers are not reused`() throws {
        let (first, second) = (FakeClient(hub, token: 1), FakeClient(hub, token: 2))
        second.close()
        let third = FakeClient(hub, token: 3)
        #expect(try clients(first).compactMap { $0["connection"]?.int } == [1, 3])
        third.close()
    }

    @Test func `of many subscriptions and paths the answer lists a hundred`() throws {
        let client = FakeClient(hub)
        let paths = (0..<103).map { "\"app.p\($0)\"" }.joined(separator: ",")
        client.send(#"{"method":"subscribe","params":{"paths":[\#(paths)],"initial":false}}"#)
        for _ in 0..<104 {
            client.send(#"{"method":"subscribe","params":{"path":"app.volume","initial":false}}"#)
        }
        let listed = try clients(client)
        let own = try #require(listed.first)
        let subscriptions = try #require(own["subscriptions"]?.array)
        #expect(subscriptions.compactMap { $0["subscription"]?.int } == Array(1...100))
        #expect(own["furtherSubscriptions"]?.int == 5)
        #expect(subscriptions[0]["paths"]?.array?.count == 100)
        #expect(subscriptions[0]["furtherPaths"]?.int == 3)
        #expect(subscriptions[1]["furtherPaths"] == nil)
    }

    @Test func `a restricted client is refused`() {
        let client = FakeClient(hub, grant: Grant(read: [PathPrefix([])], write: [PathPrefix([])]))
        #expect(
            client.ask(#"{"id":1,"method":"clients"}"#) == [
                #"{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"only the daemon's own user and root may list its clients","data":{"name":"accessDenied"}}}"#
            ]
        )
    }

    @Test func `a client in this process has its name`() throws {
        let session = hub.openLocal()
        defer { hub.close(session) }
        let listed = try clients(FakeClient(hub))
        let own = try #require(listed.first)
        let comm = try Platform.readFile("/proc/self/comm", limitBytes: 100)
        #expect(own["name"]?.string == String(decoding: comm.dropLast(), as: UTF8.self))
        #expect(own["pid"]?.int == Int64(Platform.pid))
    }

    @Test func `lists that would exceed the limit are counted instead`() throws {
        var limits = ServerLimits()
        limits.tree.maxRenderedBytes = 1000
        let hub = Hub.with([("app", "{}")], limits: limits)
        let all = (1...9).map { FakeClient(hub, token: $0) }
        for client in all { client.send(#"{"method":"subscribe","params":{"path":"app","initial":false}}"#) }
        let listed = try clients(all[0])
        #expect(listed.count == 9)
        let last = try #require(listed.last)
        #expect(last["subscriptions"]?.array?.isEmpty == true)
        #expect(last["furtherSubscriptions"]?.int == 1)
        #expect(listed[0]["furtherSubscriptions"]?.int == 0)
    }

    // MARK: Counting

    private static let options = [
        #""initial":false"#, #""old":true"#, #""tag":7"#, #""origin":true"#, #""whole":true"#,
        #""delivery":"every""#,
        #""throttle":5"#, #""own":false"#, #""distinct":false"#,
    ]

    private static let paths = [
        "app.volume", "app.list", "app.list.0", "app.*", "app.**", "**", "app.list.@sum", "observed.revision",
        "*.volume",
    ]

    @Test(arguments: seeds(20, usually: 4))
    func `each event counts for its subscription`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let all = (1...3).map { FakeClient(hub, token: $0) }
        var heard: [[Int64: Int]] = [[:], [:], [:]]
        var ended: [Set<Int64>] = [[], [], []]
        var subscribed: [Int64] = [0, 0, 0]
        func listen() throws {
            for (index, client) in all.enumerated() {
                for line in client.take()
                where line.contains(#""method":"change""#) && !line.contains("observed.revision") {
                    let message = try Value(json: line)
                    let event = try #require(message["params"])
                    heard[index][try #require(event["subscription"]?.int), default: 0] += 1
                }
            }
        }
        for step in 0..<200 {
            let index = Int.random(in: 0..<3, using: &random)
            let client = all[index]
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let path = ClientsTests.paths.randomElement(using: &random) ?? ""
                let other = ClientsTests.paths.randomElement(using: &random) ?? ""
                let option = ClientsTests.options.randomElement(using: &random) ?? ""
                client.send(#"{"method":"subscribe","params":{"paths":["\#(path)","\#(other)"],\#(option)}}"#)
                subscribed[index] += 1
            case 1 where subscribed[index] > 0:
                let number = Int64.random(in: 1...subscribed[index], using: &random)
                client.send(#"{"method":"unsubscribe","params":{"subscription":\#(number)}}"#)
                ended[index].insert(number)
            case 2: client.isAsleep = true
            case 3: client.isAsleep = false
            case 4: client.send(#"{"method":"set","params":{"path":"app.list","value":[\#(step),2]}}"#)
            case 5: client.send(#"{"method":"remove","params":{"path":"app.new"}}"#)
            case 6: client.send(#"{"method":"set","params":{"path":"app.new","value":\#(step)}}"#)
            case 7: clock.pass(milliseconds: 3, in: hub)
            default: client.send(#"{"method":"set","params":{"path":"app.volume","value":\#(step / 2)}}"#)
            }
            try listen()
        }
        for client in all { client.isAsleep = false }
        clock.pass(milliseconds: 1000, in: hub)
        try listen()
        let listed = try clients(all[0])
        try listen()
        for index in 0..<3 {
            let sent = try #require(listed[index]["eventsSent"]?.int)
            #expect(sent == Int64(heard[index].values.reduce(0, +)), "client \(index + 1)")
            for subscription in try #require(listed[index]["subscriptions"]?.array) {
                let number = try #require(subscription["subscription"]?.int)
                #expect(!ended[index].contains(number))
                #expect(
                    subscription["eventsSent"]?.int == Int64(heard[index][number] ?? 0),
                    "subscription \(number)"
                )
            }
        }
        let total = listed.reduce(0) { $0 + ($1["eventsSent"]?.int ?? 0) }
        #expect(total == Int64(hub.clients.metrics.eventsSent))
    }

    @Test func `a counter of an attachment continues beyond its bits`() {
        var attachment = AttachmentRecord()
        attachment.flags = [.tagged, .whole]
        var overflows = 0
        for _ in 0..<(1 << 24) + 5 where attachment.countSent() { overflows += 1 }
        #expect(overflows == 1)
        #expect(attachment.eventsSent == 5)
        #expect(attachment.flags == [.tagged, .whole])
    }
}
