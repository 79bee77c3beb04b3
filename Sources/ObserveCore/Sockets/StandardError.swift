// SPDX-License-Identifier: MIT
// Writes the log to standard error, with the systemd journal's prefixes if the journal reads it.

internal import CLinux
internal import Synchronization

extension Log {
    /// Writes each line to standard error with one `write(2)`. Ignores errors.
    /// - Parameter waits: whether to wait while standard error accepts nothing. Otherwise such lines are lost, the next
    ///   line that it accepts is their count, and the log has limits.
    package func openStandardError(threshold: LogLevel, name: String, waits: Bool = true) {
        let prefix = StandardError.isJournal ? LogPrefix.journalPriority : .name(name)
        guard !waits else {
            return open(threshold: threshold, prefix: prefix) { line in
                _ = ByteIO.writeAll(STDERR_FILENO, Array(line.utf8))
            }
        }
        let lines = ImpatientLines(STDERR_FILENO) { Log.line(.warning, $0, prefix: prefix) }
        open(threshold: threshold, prefix: prefix, limitedBy: { .now }) { lines.write($0) }
    }
}

package enum StandardError {
    /// Whether systemd's `$JOURNAL_STREAM` names standard error: processes with another one inherit the variable too.
    package static var isJournal: Bool {
        guard let stream = Platform.environment("JOURNAL_STREAM") else { return false }
        return isStream(stream, STDERR_FILENO)
    }

    /// Whether `descriptor` is the file that `stream` names as `DEVICE:INODE`.
    package static func isStream(_ stream: String, _ descriptor: Int32) -> Bool {
        guard let identity = FileStatus.of(descriptor: descriptor)?.identity else { return false }
        return stream == "\(identity.device):\(identity.inode)"
    }
}

/// Writes lines to a descriptor without waiting, and counts those that it does not accept.
///
/// The descriptor stays blocking: a terminal or pipe that other processes share would become non-blocking for them too.
///
/// - Threading: any thread.
package final class ImpatientLines: Sendable {
    private struct State {
        var lost = 0
        /// The last line was written in part.
        var isCut = false
    }

    private let descriptor: Int32
    private let isSocket: Bool
    private let line: @Sendable (String) -> String
    private let state = Mutex(State())

    /// - Parameter line: makes a line of a message.
    package init(_ descriptor: Int32, line: @escaping @Sendable (String) -> String) {
        self.descriptor = descriptor
        isSocket = FileStatus.of(descriptor: descriptor)?.isSocket ?? false
        self.line = line
    }

    /// Writes a line of at most `PIPE_BUF` bytes, after the count of those lost.
    package func write(_ text: String) {
        state.withLock { state in
            if state.isCut, send("\n") == 1 { state.isCut = false }
            if state.lost > 0, !state.isCut {
                let note = line("lost \(state.lost) lines, which standard error did not accept")
                if attempt(note, &state) { state.lost = 0 }
            }
            if state.lost > 0 || state.isCut || !attempt(text, &state) { state.lost += 1 }
        }
    }

    private func attempt(_ text: String, _ state: inout State) -> Bool {
        let count = send(text)
        state.isCut = count > 0 && count < text.utf8.count
        return count == text.utf8.count
    }

    /// The number of bytes that were written at once.
    private func send(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        if isSocket {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            return max(0, Syscall.run { unsafe CLinux.send(descriptor, bytes, bytes.count, flags) }.value)
        }
        // A pipe that is writable has room for `PIPE_BUF` bytes.
        let isReady = Poll.wait(for: [(descriptor, .writable)], until: .now)[0].contains(.writable)
        return isReady ? max(0, Syscall.run { unsafe CLinux.write(descriptor, bytes, bytes.count) }.value) : 0
    }
}
