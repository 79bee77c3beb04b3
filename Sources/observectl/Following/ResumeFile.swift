// SPDX-License-Identifier: MIT
// The file of `--resume`: the position of an earlier run. Independent of the subscription.

import ObserveCore

/// - Errors: `CommandError.usage` for a file with other contents, and `CommandError.input` for one that can't be read or written.
struct ResumeFile {
    private let path: String
    private var written: String?
    /// The position of the earlier run; nil without one.
    let start: SubscriptionPosition?

    /// The file of the option; nil without it.
    init?(_ arguments: ParsedArguments) throws(CommandError) {
        guard let path = arguments.options["--resume"] else { return nil }
        self.path = path
        var bytes: [UInt8] = []
        do throws(SocketError) {
            bytes = try Platform.readFile(path, limitBytes: 4096, mustBeFile: true)
        } catch .fileMissing {} catch { throw .input(error) }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        (written, start) = (line, line.contains("\n") ? nil : SubscriptionPosition(line))
        guard line.isEmpty || start != nil else {
            let fault = "the file has no position, EPOCH:REVISION; remove it, or name another"
            throw arguments.usage("--resume \(path): \(fault)")
        }
    }

    mutating func keep(_ position: SubscriptionPosition) throws(CommandError) {
        guard let text = position.text, text != written else { return }
        try attemptInput(Platform.replaceFile(path, "\(text)\n".bytes))
        written = text
    }
}
