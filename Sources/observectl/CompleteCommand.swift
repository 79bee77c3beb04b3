// SPDX-License-Identifier: MIT
// `observectl complete`: prints completions for the scripts in config/completions. Independent of their computation.

import ObserveCore

extension CommandSpec {
    static let complete = CommandSpec(
        usage: "complete SHELL [WORD…]",
        summary: "print the completions of a command line, for shells",
        asksDaemon: false,
        details: """
            SHELL is bash, zsh or fish. The WORDs are those of the command line after its first, the last one as
            far as it is typed. Without a daemon, key paths have no completions.

            Examples:
              observectl complete fish -- subscribe --th
              observectl complete bash -- get app.
            """,
        manual: """
            The first line is ':files' if names of files are wanted, ':nospace' if a word may continue, else ':'. The
            others are words, with descriptions for zsh and fish. The daemon has 40 ms for its answers. After a '*' in a key path,
            the words are of the first 32 places that match. Names with control characters or hidden ones are left out.
            """
    ) { (invocation) throws(CommandError) in
        guard let shell = CompletedShell(rawValue: invocation.operands[0]) else {
            let known = CompletedShell.allCases.map(\.rawValue).joined(separator: ", ")
            throw invocation.arguments.usage("SHELL is one of \(known), not '\(invocation.operands[0])'")
        }
        let line = CompletedLine(Array(invocation.operands.dropFirst()), of: CommandTable.all)
        switch line.completion {
        case .files: try invocation.print(":files".bytes)
        case .words(let candidates): try invocation.write(shell.lines(candidates))
        case .path(let typed, let more):
            let paths = invocation.paths(for: typed, socket: line.socket)
            try invocation.write(shell.lines(more + paths))
        }
    }
}

private extension Invocation {
    func paths(for typed: String, socket: String?) -> [Candidate] {
        let deadline = MonotonicTime.now.adding(milliseconds: 40)
        let words = socket.map { ["--socket", $0] } ?? []
        guard let arguments = try? CommandSpec.describe.parse(words) else { return [] }
        let asking = Invocation(arguments: arguments, process: process, deadline: deadline)
        let paths = PathCompletion { try? asking.request("describe", ["path": RawJSON(.string($0))]) }
        return paths.candidates(for: typed)
    }
}

enum CompletedShell: String, CaseIterable {
    case bash, zsh, fish

    /// A line that says how the shell continues, and a line for each candidate.
    func lines(_ candidates: [Candidate]) -> [UInt8] {
        // A shell shows the words as they are.
        let candidates = candidates.filter { !$0.word.hasHidden }
        let continues = candidates.contains(where: \.continues)
        let lines = candidates.flatMap { candidate -> [String] in
            let description = candidate.description.printable
            switch self {
            case .bash: return [candidate.word]
            case .zsh:
                let word = candidate.word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                return [description.isEmpty ? word : "\(word):\(description)"]
            case .fish:
                // Fish adds a space after a word, unless it ends in a dot.
                let line = "\(candidate.word)\t\(description)"
                return candidate.continues ? [line, "\(candidate.word).\t\(description)"] : [line]
            }
        }
        let shown = ([continues ? ":nospace" : ":"] + lines).joined(separator: "\n")
        return "\(shown)\n".bytes
    }
}
