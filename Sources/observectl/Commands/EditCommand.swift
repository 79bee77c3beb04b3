// SPDX-License-Identifier: MIT
// `observectl edit`: a value in the user's editor. Independent of the editor and of the differences.

import ObserveCore

extension CommandSpec {
    static let edit = CommandSpec(
        usage: "edit PATH",
        summary: "change the value at PATH in an editor",
        details: """
            The editor is $VISUAL, else $EDITOR, else vi on a terminal. The differences are written as one transaction, so
            models that did not change stay the same. If another client changed the same values meanwhile,
            the editor opens again and shows both.

            Example:
              EDITOR='sed -i s/50/60/' observectl edit app
            """,
        manual: """
            A text that is not JSON, or can't be written, changes nothing: the message names a copy of it. If nothing
            differs, nothing is written. If the editor ends with another status than 0, the command ends with that.
            If a model has two paths in the text, the later one counts.
            """
    ) { (invocation) throws(CommandError) in try invocation.edit() }
}

private extension Invocation {
    /// May have options, as git and others accept it. Nil if vi would need a terminal.
    var editor: String? {
        let named = ["VISUAL", "EDITOR"].lazy.compactMap(process.environment).first { !$0.isEmpty }
        let hasTerminal = Terminal.isTerminal(streams.input) && Terminal.isTerminal(streams.output)
        return named ?? (hasTerminal ? "vi" : nil)
    }

    func edit() throws(CommandError) {
        guard let editor else {
            throw arguments.usage(
                "vi needs a terminal: set EDITOR to a program that needs none, or use 'observectl get' and 'observectl merge'"
            )
        }
        let folder = try attempt("the text can't be edited", TemporaryFolder.make(prefix: "observectl-edit-"))
        let file = "\(folder.path)/value.json"
        do throws(CommandError) { try edit(file, in: editor) } catch {
            guard let sentence = error.sentence, let copy = kept(file, folder) else { throw error }
            process.report("\(sentence); the text is in \(copy)")
            throw .quiet(error.ending)
        }
    }

    /// Copies a text that was not written out of the folder, which is removed. Nil if no editor has run.
    func kept(_ file: String, _ folder: TemporaryFolder) -> String? {
        guard let text = try? Platform.readFile(file, limitBytes: 64 << 20) else { return nil }
        let copy = "\(folder.path).json"
        return (try? Platform.replaceFile(copy, text, mode: 0o600)).map { copy }
    }

    func edit(_ file: String, in editor: String) throws(CommandError) {
        var (base, revision) = try read()
        var mine = try edited(EditedText.text(of: base), file, in: editor)
        // How often a change was refused although no other client made one, by its index. After two refusals, the edit itself has
        // changed the place by another path of its model, and the write has no condition any more.
        var refusals: [Int: Int] = [:]
        while true {
            let changes = ValueChange.changes(from: base, to: mine)
            guard !changes.isEmpty else { return process.report("nothing was changed") }
            let operations = changes.enumerated().map { index, change in
                let condition = refusals[index, default: 0] < 2 ? revision : nil
                return change.write(below: operands[0], ifUnchangedSince: condition).json
            }
            do throws(CommandError) {
                try request("transaction", ["operations": RawJSON(array: operations)])
                return
            } catch .client(.refused(let refusal)) where refusal.code == .conflict {
                let theirs = try read()
                revision = theirs.revision
                if theirs.value == base {
                    guard let index = refusal.operation, refusals[index, default: 0] < 2
                    else { throw .client(.refused(refusal)) }
                    refusals[index, default: 0] += 1
                    continue
                }
                let text = EditedText.merge(base: base, mine: mine, theirs: theirs.value)
                (base, refusals) = (theirs.value, [:])
                if text.contains(EditedText.mark) {
                    process.report("\(refusal.message); the editor shows both")
                    mine = try edited(text, file, in: editor)
                } else {
                    mine = try value(of: text.bytes)
                }
            } catch .client(.refused(let refusal)) {
                // A failure of the edit keeps the text.
                throw .failed(RefusalAdvice(arguments: arguments).sentence(of: refusal))
            }
        }
    }

    func read() throws(CommandError) -> (value: Value, revision: Int64) {
        let answer = try request("get", ["path": operand(0)])
        guard let revision = answer.int("revision")
        else { throw .client(.malformed("an answer without revision")) }
        let value = try answer.required("value")
        return (try attempt(value.checkedValue()), revision)
    }

    func edited(_ text: String, _ file: String, in editor: String) throws(CommandError) -> Value {
        try attempt("the text can't be edited", Platform.replaceFile(file, text.bytes, mode: 0o600))
        // A terminal sends Ctrl-C to all: the editor may continue, and the others have to wait for it.
        let ignored =
            process.isWholeProcess ? try attemptInput(SignalCounter(CurrentProcess.interruption)) : nil
        defer { ignored?.cancel() }
        let child = try start(["sh", "-c", "trap : INT; \(editor) \"$1\"", "sh", file])
        while child.end() == nil { _ = Poll.wait(for: [(child.number, .readable)]) }
        if let end = child.end(), end.isFailure {
            process.report("the editor '\(editor)' failed; nothing was changed")
            throw .quiet(end.ending)
        }
        let fault = "the edited text can't be read"
        return try value(of: attempt(fault, Platform.readFile(file, limitBytes: 64 << 20)))
    }

    func value(of bytes: [UInt8]) throws(CommandError) -> Value {
        try attempt(RawJSON(validating: bytes).value()) { (error: JSONError) in
            CommandError.failed("the text is not JSON: \(JSONFault.phrase(error, in: bytes))")
        }
    }
}
