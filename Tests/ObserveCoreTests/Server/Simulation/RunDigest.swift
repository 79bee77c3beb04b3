// SPDX-License-Identifier: MIT
// A checksum of everything that a simulated server does. Independent of its meaning.

@testable import ObserveCore

/// FNV-1a over all bytes in and out, all operations of the disk, and all steps. It keeps the last steps as text.
final class RunDigest {
    private(set) var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    private(set) var bytes = 0
    private var lines = Ring(RunDigest.isTraced ? 500_000 : 60)

    private struct Ring {
        private var lines: [String] = []
        private let limit: Int

        init(_ limit: Int) { self.limit = limit }

        mutating func add(_ line: String) {
            lines.append(line)
            if lines.count > 2 * limit { lines.removeFirst(limit) }
        }

        var last: ArraySlice<String> { lines.suffix(limit) }
    }

    private func mix(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    func add(_ what: StaticString, _ token: UInt64, _ bytes: ArraySlice<UInt8> = []) {
        mix(UInt8(truncatingIfNeeded: what.utf8CodeUnitCount))
        for shift in [0, 8, 16, 24, 32] { mix(UInt8(truncatingIfNeeded: token >> UInt64(shift))) }
        for byte in bytes { mix(byte) }
        self.bytes += bytes.count
        guard RunDigest.isTraced else { return }
        lines.add("  \(what) \(token >> 32): \(String(decoding: bytes, as: UTF8.self))")
    }

    func add(_ line: String) {
        for byte in line.utf8 { mix(byte) }
        lines.add(line)
    }

    /// Whether the trace has the bytes, too.
    static let isTraced = Platform.environment("OBSERVED_TRACE") != nil

    var trace: String { lines.last.joined(separator: "\n") }
}
