// SPDX-License-Identifier: MIT
// Puts the log on standard error, in the journal's manner when that is where it goes. Does not know what is
// logged.

internal import Glibc

extension Log {
    /// Writes to standard error, each line with one `write(2)`; a line that cannot be written is lost.
    package func openStandardError(threshold: LogLevel, name: String) {
        let prefix = StandardError.isJournal ? LogPrefix.journalPriority : .name(name)
        open(threshold: threshold, prefix: prefix) { line in
            _ = ByteIO.writeAll(STDERR_FILENO, Array(line.utf8))
        }
    }
}

package enum StandardError {
    /// Whether it is the very stream that systemd named in `$JOURNAL_STREAM`: the variable alone is inherited
    /// also by processes whose standard error was sent elsewhere.
    package static var isJournal: Bool {
        guard let stream = Platform.environment("JOURNAL_STREAM") else { return false }
        return isStream(stream, STDERR_FILENO)
    }

    /// Whether `descriptor` is the file that `stream`, a device and an inode with a colon between them,
    /// names.
    package static func isStream(_ stream: String, _ descriptor: Int32) -> Bool {
        guard let identity = FileStatus.of(descriptor: descriptor)?.identity else { return false }
        return stream == "\(identity.device):\(identity.inode)"
    }
}
