// SPDX-License-Identifier: MIT
// The slices of a snapshot, and what each costs.

import Testing

@testable import ObserveCore

@Suite struct SnapshotWriterTests {
    /// Fuzzing found it: the writer tried each number up to that of the newest binding.
    @Test func `the bindings of a snapshot cost nothing for the numbers no longer in use`() throws {
        let hub = Hub.with([("t", #"{"a":1,"b":2,"c":3}"#)])
        let client = FakeClient(hub)
        hub.tree.continueBindings(after: 1 << 20)
        for ends in [#""source":"t.a","target":"t.b""#, #""source":"t.b","target":"t.c""#] {
            #expect(client.ask(#"{"id":1,"method":"bind","params":{\#(ends)}}"#).count == 1)
        }
        let writer = SnapshotWriter(hub.tree.reader, clock: WallClock(offset: 0))
        let out = ByteBuffer()
        writer.begin(number: 1, sum: 0, epoch: "e", to: out)
        var (lines, steps) = (0, 0)
        while !writer.isDone {
            lines += 1
            writer.write(to: out) {
                steps += 1
                return false
            }
        }
        #expect(lines == 2 && steps < 10)
        let text = out.string
        #expect(text.contains(#""b":[[1048577,"t.a","t.b",false],[1048578,"t.b","t.c",false]]"#))
        #expect(text.contains(#""binding":1048578"#))
    }
}
