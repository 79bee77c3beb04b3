// SPDX-License-Identifier: MIT
// Writes the log to standard error, with the systemd journal's prefixes if the journal reads it.

internal import Glibc

extension Log {
    /// Writes each line to standard error with one `write(2)`. Ignores errors.
    package func openStandardError(threshold: LogLevel, name: String) {
        let prefix = StandardError.isJournal ? LogPrefix.journalPriority : .name(name)
        open(threshold: threshold, prefix: prefix) { line in
            _ = ByteIO.writeAll(STDERR_FILENO, Array(line.utf8))
        }
    }
}

package enum StandardError {
    /// Whether standard error is the stream that systemd names in `$JOURNAL_STREAM`. Processes with another
    /// standard error inherit the variable too.
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
