// SPDX-License-Identifier: MIT
// Moves bytes between memory and descriptors. Independent of their contents.

internal import CLinux

package enum ReadResult: Equatable, Sendable {
    /// At least one byte.
    case bytes(Int)
    case wouldBlock
    case endOfInput
    case failed(Int32)
}

package enum WriteResult: Equatable, Sendable {
    /// The number of written bytes, which may be less than the count.
    case bytes(Int)
    case wouldBlock
    case failed(Int32)
}

/// Reading and writing without exceptions, allocation, or signals.
/// - Threading: any thread; the kernel orders concurrent writes.
/// - Cost: one system call each, more if a signal interrupts it.
package enum ByteIO {
    /// Reads available bytes, at most `buffer.count`.
    @inline(__always)
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        precondition(buffer.count > 0, "a read into an empty buffer looks like the end of input")
        let call = Syscall.run { unsafe CLinux.read(descriptor, buffer.baseAddress, buffer.count) }
        if call.value > 0 { return .bytes(call.value) }
        if call.value == 0 { return .endOfInput }
        return isTemporary(call.code) ? .wouldBlock : .failed(call.code)
    }

    /// Sends as many bytes as the socket accepts. If the peer has closed, the result is `.failed(EPIPE)`, never SIGPIPE.
    @inline(__always)
    package static func write(_ descriptor: Int32, _ start: UnsafeRawPointer, count: Int) -> WriteResult {
        let call = Syscall.run { unsafe send(descriptor, start, count, Int32(MSG_NOSIGNAL)) }
        if !call.hasFailed { return .bytes(call.value) }
        return isTemporary(call.code) ? .wouldBlock : .failed(call.code)
    }

    @inline(__always)
    private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK }
}

// MARK: - Arrays

extension ByteIO {
    /// Reads at most `limitBytes` into a new array, which is empty unless the result is `.bytes`.
    package static func read(_ descriptor: Int32, limitBytes: Int) -> (result: ReadResult, bytes: [UInt8]) {
        var result = ReadResult.wouldBlock
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limitBytes) { buffer, count in
            let room = unsafe UnsafeMutableRawBufferPointer(buffer)[..<limitBytes]
            result = unsafe read(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: room))
            if case .bytes(let read) = result { count = read }
        }
        return (result, bytes)
    }

    /// Reads up to the end of input. Throws beyond `limitBytes`, and if `deadline` passed before the end.
    /// - Parameters:
    ///   - name: what an error names.
    ///   - isFile: whether it is a regular file; nil asks the kernel.
    static func readAll(
        _ descriptor: Int32,
        _ name: String,
        limitBytes: Int = .max,
        until deadline: MonotonicTime? = nil,
        isFile: Bool? = nil
    ) throws(SocketError) -> [UInt8] {
        let status = FileStatus.of(descriptor: descriptor)
        var bytes: [UInt8] = []
        // Otherwise the array would copy a large file again each time it grows.
        bytes.reserveCapacity(min(status?.size ?? 0, limitBytes))
        while bytes.count <= limitBytes {
            // An endless file is always ready.
            if let deadline {
                let isReady = !Poll.wait(for: [(descriptor, .readable)], until: deadline)[0].isEmpty
                if deadline <= .now || !isReady { throw .timedOut(name) }
            }
            let (result, piece) = read(descriptor, limitBytes: 65_536)
            switch result {
            case .bytes: bytes += piece
            case .endOfInput: return bytes
            // A regular file has an end, unless the kernel makes it as a stream, like /proc/kmsg.
            case .wouldBlock where isFile ?? (status?.isFile == true): throw .notAFile(name)
            case .wouldBlock: _ = Poll.wait(for: [(descriptor, .readable)], until: deadline)
            case .failed(let code): throw .systemCall("read", path: name, code: code)
            }
        }
        throw .fileTooLarge(name, limitBytes: limitBytes)
    }

    /// Writes all of `bytes` to any kind of descriptor: a file, a pipe, a terminal or a socket. Blocks while the descriptor
    /// accepts none. Returns zero, or the `errno` that stopped it.
    package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                let call = Syscall.run { unsafe CLinux.write(descriptor, rest.baseAddress, rest.count) }
                if !call.hasFailed {
                    written += call.value
                } else if isTemporary(call.code) {
                    // The next write returns an error of the descriptor.
                    _ = Poll.wait(for: [(descriptor, .writable)])
                } else {
                    return call.code
                }
            }
            return 0
        }
    }
}
