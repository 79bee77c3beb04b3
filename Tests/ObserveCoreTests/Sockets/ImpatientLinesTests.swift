// SPDX-License-Identifier: MIT
// A full pipe or socket delays no line, and later gets the number of lost ones.

import Glibc
import ObserveCore
import Testing

struct ImpatientLinesTests {
    /// The two ends of a pipe or of a socket pair: for reading, for writing.
    private func ends(isSocket: Bool) throws -> (reading: Int32, writing: Int32) {
        var numbers: [Int32] = [-1, -1]
        let result =
            isSocket
            ? unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) : unsafe pipe(&numbers)
        try #require(result == 0)
        return (numbers[0], numbers[1])
    }

    /// Reads all that has arrived.
    private func drain(_ number: Int32) -> String {
        #expect(fcntl(number, F_SETFL, O_NONBLOCK) == 0)
        var all: [UInt8] = []
        while case let piece = ByteIO.read(number, limitBytes: 65_536), case .bytes = piece.result {
            all += piece.bytes
        }
        return String(decoding: all, as: UTF8.self)
    }

    @Test(arguments: [false, true])
    func `lines that do not fit are counted`(isSocket: Bool) throws {
        let (reading, writing) = try ends(isSocket: isSocket)
        defer { for number in [reading, writing] { close(number) } }
        let lines = ImpatientLines(writing) { "note: \($0)\n" }
        let text = String(repeating: "x", count: 999) + "\n"
        // Far more than a pipe or socket buffers: a write that waits would never return.
        for _ in 0..<5000 { lines.write(text) }
        #expect(fcntl(writing, F_GETFL) & O_NONBLOCK == 0)
        let first = drain(reading).split(separator: "\n")
        let whole = first.count { $0.utf8.count == 999 }
        #expect(whole > 10 && whole < 5000)
        #expect(first.count - whole <= 1)
        lines.write("later\n")
        lines.write("last\n")
        let rest = drain(reading).split(separator: "\n")
        #expect(
            rest == [
                "note: lost \(5000 - whole) lines, which standard error did not accept", "later", "last",
            ]
        )
    }

    @Test func `a closed reader neither delays nor ends the writer`() throws {
        Platform.ignoreBrokenPipe()
        let (reading, writing) = try ends(isSocket: false)
        close(reading)
        defer { close(writing) }
        let lines = ImpatientLines(writing) { "note: \($0)\n" }
        for _ in 0..<3 { lines.write("x\n") }
    }
}
