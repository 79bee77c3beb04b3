// SPDX-License-Identifier: MIT
// Writes arrays to sockets.

@testable import ObserveCore

extension ByteIO {
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> WriteResult {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return .bytes(0) }
            return unsafe write(descriptor, start, count: buffer.count)
        }
    }
}
