// SPDX-License-Identifier: MIT
// The three streams that a command is given, by number. Does not know what is written to them.

internal import Glibc

/// Standard input, output and error of a command, or what stands in for them.
///
/// - Errors: writing tells what came of it; what cannot be written to standard error is lost.
/// - Threading: any; two writers are ordered by the kernel.
/// - Cost: nothing is buffered. What is written has been handed over when the call returns.
package struct StandardStreams: Sendable {
    package let input: Int32
    package let output: Int32
    package let error: Int32

    package enum WriteOutcome: Equatable, Sendable {
        case done
        /// Nobody will ever read it.
        case readerGone
        case timedOut
        case failed(Int32)
    }

    package init(input: Int32, output: Int32, error: Int32) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Those of this process.
    package static let ofProcess = StandardStreams(
        input: STDIN_FILENO,
        output: STDOUT_FILENO,
        error: STDERR_FILENO
    )

    /// Fills in streams that the process was started without, or the next file opened would get their number
    /// and our output. What is filled in can be neither read nor written.
    package static func fillGaps() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all of `bytes` to standard output with one `write(2)`, as long as a pipe would not make that wait.
    ///
    /// A pipe is offered at most what it takes without blocking (PIPE_BUF, 4096 bytes), so that a reader that
    /// has stopped reading cannot hold us past `deadline`.
    package func write(_ bytes: [UInt8], until deadline: MonotonicTime? = nil) -> WriteOutcome {
        let pieceBytes = FileStatus.isPipe(output) ? Int(PIPE_BUF) : max(bytes.count, 1)
        var written = 0
        while written < bytes.count {
            let events = Poll.wait(for: [(output, .writable)], until: deadline)[0]
            if events.isEmpty { return .timedOut }
            if events.contains(.gone) { return .readerGone }
            let call = unsafe bytes.withUnsafeBytes { buffer in
                let count = min(pieceBytes, bytes.count - written)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<written + count])
                return Syscall.run { unsafe Glibc.write(output, piece.baseAddress, piece.count) }
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
    package func report(_ line: String) {
        _ = ByteIO.writeAll(error, Array("\(line)\n".utf8))
    }

    /// Says on standard error what is being done: on a terminal in place of what was said before, otherwise in a line.
    ///
    /// - Parameter text: nil when it has been done, so that a terminal forgets it.
    package func progress(_ text: String?) {
        if isatty(error) == 1 {
            _ = ByteIO.writeAll(error, Array("\r\u{1B}[K\(text ?? "")".utf8))
        } else if let text {
            report(text)
        }
    }

    /// All of standard input, at most `limitBytes` of it; more is refused. Nil if `deadline` passed before its end.
    package func readInput(
        limitBytes: Int,
        until deadline: MonotonicTime? = nil
    ) throws(SocketError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let comes = deadline.map { Poll.wait(for: [(input, .readable)], until: $0)[0] }
            if let comes, comes.isEmpty { return nil }
            let (result, piece) = ByteIO.read(input, limitBytes: 65_536)
            switch result {
            case .bytes: bytes += piece
            case .endOfInput: return bytes
            case .wouldBlock: _ = Poll.wait(for: [(input, .readable)])
            case .failed(let code): throw .systemCall("read", path: "standard input", code: code)
            }
            if bytes.count > limitBytes { throw .fileTooLarge("standard input", limitBytes: limitBytes) }
        }
    }
}

private extension FileStatus {
    static func isPipe(_ descriptor: Int32) -> Bool {
        var raw = stat()
        return unsafe fstat(descriptor, &raw) == 0 && raw.st_mode & S_IFMT == S_IFIFO
    }
}
