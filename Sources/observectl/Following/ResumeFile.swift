// SPDX-License-Identifier: MIT
// The file of `--resume`: the position of an earlier run. Independent of the subscription.

import ObserveCore

/// - Errors: `CommandError.usage` for a file with other contents, and `CommandError.input` for one that can't be read or
///   written.
struct ResumeFile {
    private let path: String
    private var written: String?
    /// The position of the earlier run; nil without one.
    let start: SubscriptionPosition?

    init(_ path: String, _ arguments: ParsedArguments) throws(CommandError) {
        self.path = path
        var bytes: [UInt8] = []
        do throws(SocketError) {
            bytes = try Platform.readFile(path, limitBytes: 4096, mustBeFile: true)
        } catch {
            guard case .fileMissing = error else { throw .input(error) }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard !line.isEmpty else {
            start = nil
            return
        }
        guard let position = SubscriptionPosition(line), !line.contains("\n") else {
            throw arguments.usage(
                "--resume \(path): the file has no position, EPOCH:REVISION; remove it, or name another"
            )
        }
        (written, start) = (line, position)
    }

    mutating func keep(_ position: SubscriptionPosition) throws(CommandError) {
        guard let text = position.text, text != written else { return }
        try attemptInput(Platform.replaceFile(path, "\(text)\n".bytes))
        written = text
    }
}
