// SPDX-License-Identifier: MIT
// Who is let in, and who may begin dumps and loads, when other users take all they can.

import Testing

@testable import ObserveCore

struct AdmissionsTests {
    private static let everything = Grant(read: [PathPrefix([])], write: [PathPrefix([])])

    private func hub(_ set: (inout ClientLimits) -> Void = { _ in }) -> Hub {
        var limits = ServerLimits()
        set(&limits.clients)
        return .with([("t", #"{"a":1}"#)], limits: limits)
    }

    private func guest(of hub: Hub, _ user: UInt32) -> FakeClient {
        FakeClient(hub, grant: Self.everything, user: user)
    }

    /// How many of `count` new clients the hub admits. Adds them to `clients`.
    private func admit(_ count: Int, _ clients: inout [FakeClient], _ make: () -> FakeClient) -> Int {
        (0..<count).count { _ in
            let client = make()
            clients.append(client)
            let isAdmitted = client.hub.clients.admit(client.session)
            #expect(
                client.take() == (isAdmitted ? [] : [RawPeer.goodbye("tooManyConnections")])
            )
            return isAdmitted
        }
    }

    @Test func `other users leave sixteen connections`() {
        let hub = hub { $0.maxConnections = 40 }
        var clients: [FakeClient] = []
        #expect(admit(30, &clients) { guest(of: hub, 7) } == 24)
        #expect(admit(3, &clients) { guest(of: hub, 8) } == 0)
        #expect(admit(20, &clients) { FakeClient(hub) } == 16)
        // The refused ones count for nothing while they wait for their end.
        clients[0].close()
        #expect(admit(1, &clients) { FakeClient(hub) } == 1)
        #expect(admit(1, &clients) { guest(of: hub, 8) } == 0)
        for client in clients { client.close() }
        // All are forgotten.
        clients = []
        #expect(admit(30, &clients) { guest(of: hub, 8) } == 24)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (32, 16), (33, 17), (100, 84)])
    func `at most half of the connections are kept`(limit: Int, others: Int) {
        var limits = ClientLimits()
        limits.maxConnections = limit
        #expect(limits.maxOtherConnections == others)
        let hub = hub { $0.maxConnections = limit }
        var clients: [FakeClient] = []
        #expect(admit(limit, &clients) { guest(of: hub, 7) } == others)
        #expect(admit(limit, &clients) { FakeClient(hub) } == limit - others)
    }

    @Test func `each other user has a limit`() {
        let hub = hub { $0.maxConnectionsPerUser = 3 }
        var clients: [FakeClient] = []
        for user: UInt32 in [7, 8] {
            #expect(admit(4, &clients) { guest(of: hub, user) } == 3)
        }
        #expect(admit(10, &clients) { FakeClient(hub, user: 7) } == 10)
        clients[0].close()
        clients[0].close()
        #expect(admit(2, &clients) { guest(of: hub, 7) } == 1)
    }

    // MARK: Dumps and loads

    private static func refused(_ sentence: String) -> String {
        #"{"code":6,"message":"\#(sentence), which is the limit","data":{"name":"limitExceeded"}}"#
    }

    /// The error of a request, or nil.
    private func error(_ client: FakeClient, _ method: String, _ params: String) -> String? {
        let answer = client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#)[0]
        guard let error = answer.range(of: #""error":"#) else { return nil }
        return String(answer[error.upperBound...].dropLast())
    }

    @Test func `another user has four dumps, all of them sixteen, and the owner any number`() throws {
        let hub = hub()
        let long = String(repeating: "x", count: 300_000)
        // Two parts: the dump stays under way.
        try hub.tree.define(root: "long", json: "[\"\(long)\",\"\(long)\"]")
        try hub.tree.define(root: "more", json: "[\"\(long)\",\"\(long)\"]")
        var clients: [FakeClient] = []
        for user: UInt32 in 1...4 {
            for number in 0...4 {
                let client = guest(of: hub, user)
                clients.append(client)
                let limit =
                    user == 4 && number == 4
                    ? "16 dumps are in progress" : "4 dumps of this user are in progress"
                #expect(error(client, "dump", "{}") == (number < 4 ? nil : Self.refused(limit)))
            }
        }
        clients.append(guest(of: hub, 5))
        #expect(error(clients[clients.count - 1], "dump", "{}") == Self.refused("16 dumps are in progress"))
        for _ in 0..<20 {
            clients.append(FakeClient(hub))
            #expect(error(clients[clients.count - 1], "dump", "{}") == nil)
        }
        // A dump that is begun again takes its own place.
        #expect(error(clients[0], "dump", "{}") == nil)
        clients[0].close()
        #expect(error(clients[4], "dump", "{}") == nil)
        for client in clients { client.close() }
    }

    @Test func `another user has four loads, and the owner any number`() {
        let hub = hub()
        let first = #"{"path":"t.a","text":"[","last":false}"#
        var clients: [FakeClient] = []
        for number in 0...4 {
            clients.append(guest(of: hub, 7))
            let refused = Self.refused("4 loads of this user are in progress")
            #expect(error(clients[clients.count - 1], "load", first) == (number < 4 ? nil : refused))
        }
        // A load in one part is over at once.
        #expect(error(clients[4], "load", #"{"path":"t.a","text":"[]"}"#) == nil)
        #expect(error(clients[0], "load", first) == nil)
        #expect(error(guest(of: hub, 8), "load", first) == nil)
        for _ in 0..<20 {
            clients.append(FakeClient(hub))
            #expect(error(clients[clients.count - 1], "load", first) == nil)
        }
        #expect(error(clients[0], "load", #"{"part":1,"text":"]"}"#) == nil)
        #expect(error(clients[4], "load", first) == nil)
        for client in clients { client.close() }
    }
}
