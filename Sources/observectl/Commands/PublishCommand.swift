// SPDX-License-Identifier: MIT
// `observectl publish`: lines of JSON become a model while the command runs. Independent of the program that writes them.

import ObserveCore

extension CommandSpec {
    static let publish = CommandSpec(
        usage: "publish PATH",
        summary: "make lines of JSON on standard input the value at PATH, while it runs",
        options: [
            OptionSpec("--set", "let each line replace the value, instead of merging into the model"),
            OptionSpec("--keep", "leave the value there at the end"), .parents,
            OptionSpec("--ready", "write 'ready' to standard error once the first line is published"),
            .noWait,
        ],
        details: """
            Each line is one commit. A line that is an object is merged into the model (RFC 7396): it sets the
            members that it names, null removes them, and links and subscribers stay. At the end of the input,
            or when the command ends, the value is gone.

            Examples:
              echo '{"title": "Alien"}' | observectl publish player
              printf '%s\\n' '{"a": 1}' '{"b": 2}' | observectl publish --keep job
            """,
        manual: """
            Without a daemon, or if it ends, the command waits for one, and publishes the value again, once the models on
            its path are there, which may be another client's. A line that is not JSON ends the command with status 2, one
            of more than 64 MiB with status 1, and its number is on standard error.

            If another client writes a part of the value, the command says so on standard error, and leaves the part until
            a line names it. If another client writes PATH itself, or a model on the way to it, the command says so too. It
            leaves that value until the next line, which publishes the whole value again. So the later of two
            publishers is visible, and neither overwrites the other without new input.
            """
    ) { (invocation) throws(CommandError) in try Publishing(invocation).run() }
}

final class Publishing {
    /// Against a client that writes parts all the time.
    private static let mostAttempts = 100

    private let invocation: Invocation
    private let path: String
    private var replaces: Bool { invocation.arguments.has("--set") }
    private var keeps: Bool { invocation.arguments.has("--keep") }
    /// The value of all lines so far, with `--keep` as a patch that has the removed members too; nil before the first.
    private var state: Value?
    private var lines = 0
    private var foreign: ForeignWrites
    /// The subscription to the writes of other clients; nil if this client may not read them.
    private var subscription: RawJSON?
    /// Up to which the value is known: the condition of the next merge.
    private var revision: Int64?

    init(_ invocation: Invocation) throws(CommandError) {
        self.invocation = invocation
        path = invocation.operands[0]
        foreign = try ForeignWrites(path, invocation.arguments)
    }

    func run() throws(CommandError) {
        // The first connection is made before any input, so that the lack of a daemon is reported at once.
        let kept = KeptValue(invocation) { [self] (connection) throws(ClientError) in
            try observe(connection)
            guard let state else { return }
            do throws(ClientError) {
                note(try connection.send(assignment(of: state), until: invocation.deadline))
            } catch .refused(let refusal) where lacksParents(refusal) {
                note(try connection.send(setting(state), until: invocation.deadline))
            }
        }
        kept.onEvent = { [self] event in
            if let sentence = foreign.note(event) { invocation.process.report(sentence) }
        }
        try kept.start()
        invocation.announceInput("lines of JSON")
        var input = TextLines()
        while let piece = try read(kept) {
            for line in input.consume(piece) { try publish(line, kept) }
            guard input.rest.count <= Invocation.valueLimitBytes
            else { throw .failed("line \(lines + 1) has more than 64 MiB") }
        }
        // The last line counts even without its end.
        try publish(input.rest, kept)
        if keeps, !kept.isConnected { throw .client(.connectionLost(code: 0)) }
        kept.end(subscription)
    }

    /// Observes what others write there. A client that may not read the path publishes all the same.
    private func observe(_ connection: ClientConnection) throws(ClientError) {
        foreign.clear()
        do throws(ClientError) {
            let answer = try connection.call("subscribe", foreign.params, until: invocation.deadline)
            subscription = answer.member("subscription")
        } catch .refused { subscription = nil }
    }

    private func read(_ kept: KeptValue) throws(CommandError) -> [UInt8]? {
        try kept.wait(for: [invocation.streams.input])
        return try invocation.availableInput()
    }

    private func publish(_ line: [UInt8], _ kept: KeptValue) throws(CommandError) {
        lines += 1
        if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { return }
        let value = try attempt(RawJSON(validating: line).value()) { (error: JSONError) in
            let fault = JSONFault.phrase(error, in: line, isLine: true)
            return invocation.arguments.usage("line \(lines) is not JSON: \(fault)")
        }
        let isFirst = state == nil
        let isMerge = !replaces && value.object != nil && (state?.object != nil || keeps)
        state = replaces ? value : (state ?? .null).merging(value, keepsRemoved: keeps)
        if isMerge { try merge(value, kept) } else { try assign(kept) }
        if isFirst, invocation.arguments.has("--ready") { invocation.streams.report("ready") }
    }

    /// Merges a line into the model, unless another client's value has taken its place.
    private func merge(_ value: Value, _ kept: KeptValue) throws(CommandError) {
        var attempts = 0
        while !foreign.hasReplaced {
            // The condition costs the daemon a look at the whole value: without other writers, there is none.
            let needsCondition = foreign.revision != nil && attempts < Publishing.mostAttempts
            let condition = needsCondition ? revision.map { RawJSON(.int($0)) } : nil
            do throws(CommandError) {
                let params: RequestParams = ["value": RawJSON(value), "ifRevision": condition]
                note(try kept.send(WriteOperation(.merge, path, params)))
                // The first foreign value may come just before an unconditional line.
                if foreign.hasReplaced, let revision, let foreign = foreign.revision, foreign < revision {
                    break
                }
                return
            } catch .client(.refused(let error)) where error.code == .conflict {
                // If the other client wrote a part alone, the next attempt succeeds.
                revision = error.data?.int("revision")
                attempts += 1
            } catch .client(.refused(let error)) where lacksParents(error) {
                break
            }
        }
        try assign(kept)
    }

    private func assign(_ kept: KeptValue) throws(CommandError) {
        guard let state else { return }
        foreign.clear()
        do throws(CommandError) {
            note(try kept.send(assignment(of: state)))
        } catch .client(.refused(let refusal)) where lacksParents(refusal) {
            note(try kept.send(setting(state)))
        }
    }

    /// Whether a merge was refused because models on the path are missing, which are to be made: only `set` makes them.
    private func lacksParents(_ refusal: DaemonError) -> Bool {
        refusal.code == .notFound && invocation.arguments.has("--parents")
    }

    /// Notes the revision of the last write, if the daemon shows this client what others write there.
    private func note(_ written: Int64?) { revision = subscription == nil ? nil : written }

    private func assignment(of value: Value) -> WriteOperation {
        let isPatch = keeps && !replaces && value.object != nil
        return isPatch ? WriteOperation(.merge, path, ["value": RawJSON(value)]) : setting(value)
    }

    private func setting(_ value: Value) -> WriteOperation {
        // Without the removed members of a patch.
        let whole = RawJSON(replaces ? value : Value.null.merging(value))
        let (parents, lifetime) = (
            invocation.arguments.flag("--parents"), keeps ? nil : "connection" as RawJSON
        )
        return WriteOperation(.set, path, ["value": whole, "parents": parents, "lifetime": lifetime])
    }
}
