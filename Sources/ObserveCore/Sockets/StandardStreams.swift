// SPDX-License-Identifier: MIT
// The standard streams of a command.

internal import CLinux

/// Standard input, output and error of a command, or replacements for tests.
/// - Errors: writes return their outcome; errors of standard error are ignored.
/// - Threading: any thread; the kernel orders concurrent writes.
/// - Cost: writes are not buffered.
package struct StandardStreams: Sendable {
    package let input: Int32
    package let output: Int32
    package let error: Int32

    package enum WriteOutcome: Equatable, Sendable {
        case done
        /// The reader has closed the stream.
        case readerGone
        case timedOut
        case failed(Int32)
    }

    package init(input: Int32, output: Int32, error: Int32) {
        self.input = input
        self.output = output
        self.error = error
    }

    package static let ofProcess = StandardStreams(
        input: STDIN_FILENO,
        output: STDOUT_FILENO,
        error: STDERR_FILENO
    )

    /// Opens missing standard streams, which can be neither read nor written. Otherwise the next opened file would get the number
    /// of one, and our output.
    package static func fillGaps() {
        for number in STDIN_FILENO...STDERR_FILENO where linux_fcntl(number, F_GETFD, 0) < 0 {
            _ = unsafe linux_open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY, 0)
        }
    }

    /// Writes all of `bytes` to standard output, by one `write(2)` if possible.
    ///
    /// Each write to a pipe has at most PIPE_BUF bytes, which a ready pipe accepts at once. So a reader that has stopped can't
    /// block the call beyond `deadline`.
    package func write(_ bytes: [UInt8], until deadline: MonotonicTime? = nil) -> WriteOutcome {
        let isPipe = FileStatus.of(descriptor: output)?.isPipe ?? false
        let pieceBytes = isPipe ? Int(PIPE_BUF) : max(bytes.count, 1)
        var written = 0
        while written < bytes.count {
            let events = Poll.wait(for: [(output, .writable)], until: deadline)[0]
            if events.isEmpty { return .timedOut }
            if events.contains(.gone) { return .readerGone }
            let call = unsafe bytes.withUnsafeBytes { buffer in
                let count = min(pieceBytes, bytes.count - written)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<written + count])
                return Syscall.run { unsafe CLinux.write(output, piece.baseAddress, piece.count) }
            }
            switch call.code {
            case 0: written += call.value
            case EAGAIN: continue
            case EPIPE: return .readerGone
            default: return .failed(call.code)
            }
        }
        return .done
    }

    /// Writes a line to standard error with one `write(2)`.
    package func report(_ line: String) { _ = ByteIO.writeAll(error, Array("\(line)\n".utf8)) }

    /// Reports progress on standard error: on a terminal in place of the last report, otherwise in a line.
    /// - Parameter text: The report; nil at the end, to clear it from a terminal.
    package func progress(_ text: String?) {
        if isatty(error) == 1 {
            _ = ByteIO.writeAll(error, Array("\r\u{1B}[K\(text ?? "")".utf8))
        } else if let text {
            report(text)
        }
    }

    /// Reads all of standard input. Throws beyond `limitBytes`, and if `deadline` passed before the end.
    package func readInput(limitBytes: Int, until deadline: MonotonicTime? = nil) throws(SocketError)
        -> [UInt8]
    {
        try ByteIO.readAll(input, "standard input", limitBytes: limitBytes, until: deadline)
    }
}
