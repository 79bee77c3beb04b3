// SPDX-License-Identifier: MIT
// A small version of `make slow-client`: a client that sleeps through all changes of a hundred paths, of every kind.

import Testing

@testable import ObserveCore

@Suite struct SlowClientProofTests {
    private static let each = 20

    /// Writes that change one path of each kind, and differ from the last.
    private static func round(_ value: Int, _ index: Int) -> [String] {
        let array =
            value % 2 == 0
            ? #""method":"insert","params":{"path":"a.r\#(index)","value":\#(value),"index":0}"#
            : #""method":"remove","params":{"path":"a.r\#(index).0"}"#
        return [
            #""method":"set","params":{"path":"s.p\#(index)","value":\#(value)}"#,
            #""method":"set","params":{"path":"q.p\#(index)","value":"text \#(value)"}"#,
            #""method":"set","params":{"path":"d.g.v\#(index)","value":\#(value)}"#,
            array,
            #""method":"set","params":{"path":"o.k\#(index).0","value":\#(value)}"#,
        ]
    }

    private static func members(_ prefix: String, _ value: String) -> String {
        (0..<each).map { #""\#(prefix)\#($0)":\#(value)"# }.joined(separator: ",")
    }

    @Test func `a slow client gets each last value and an exact count, in memory bounded by its paths`()
        throws
    {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = 2000
        let hub = Hub.with(
            [
                ("s", "{\(Self.members("p", "-1"))}"), ("q", "{\(Self.members("p", "\"\""))}"),
                ("d", "{\"g\":{\(Self.members("v", "-1"))}}"), ("a", "{\(Self.members("r", "[0,1]"))}"),
                ("o", "{\(Self.members("k", "[-1,5]"))}"),
            ],
            limits: limits
        )
        let (sleeper, writer, other) = (
            SlowClient(hub, token: 1), FakeClient(hub, token: 2), FakeClient(hub, token: 3)
        )
        let literal = (0..<Self.each).flatMap { [#""s.p\#($0)""#, #""a.r\#($0)""#, #""o.k\#($0).@sum""#] }
        for paths in [literal.joined(separator: ","), #""q.*""#, #""d.**""#] {
            sleeper.send(#"{"method":"subscribe","params":{"paths":[\#(paths)],"initial":false}}"#)
        }
        other.send(#"{"method":"subscribe","params":{"path":"s.p0","initial":false}}"#)
        sleeper.sleep(after: 500)
        for value in 0...200 {
            for index in 0..<Self.each {
                for write in Self.round(value, index) { writer.send("{\(write)}") }
            }
            sleeper.drain()
            #expect(other.take().count == 1)
            // The output at the time when it stopped reading, and the line beyond it.
            #expect(sleeper.session.output.count < limits.clients.offerAfterBytes + 200)
            #expect(sleeper.waitingMarks <= 10 * Self.each)
        }
        sleeper.wake()
        var last: [String: Value] = [:]
        var sums: [String: Int64] = [:]
        for line in sleeper.take() {
            let params = try #require(try Value(json: Array(line.utf8), maxDepth: 10)["params"])
            let path = try #require(params["path"]?.string)
            last[path] = params["new"]
            sums[path, default: 0] += params["coalesced"]?.int ?? 1
        }
        #expect(last.count == 5 * Self.each && sums.values.allSatisfy { $0 == 201 })
        for index in 0..<Self.each {
            #expect(last["s.p\(index)"] == 200 && last["d.g.v\(index)"] == 200)
            #expect(last["q.p\(index)"] == .string("text 200") && last["o.k\(index).@sum"] == 205)
            #expect(last["a.r\(index)"] == .array([200, 0, 1]))
        }
    }
}
