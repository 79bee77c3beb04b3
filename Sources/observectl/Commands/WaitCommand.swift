// SPDX-License-Identifier: MIT
// `observectl wait`: ends when conditions hold. Independent of the form of conditions.

import ObserveCore

extension CommandSpec {
    static let wait = CommandSpec(
        usage: "wait CONDITION…",
        summary: "wait until all conditions hold at one commit, and print their values",
        options: [
            OptionSpec("--any", "until one of the conditions holds; print that value"),
            OptionSpec("--for TIME", "until they have held that long"),
            OptionSpec("-r, --raw", "print a string without its quotes"), .noWait,
        ],
        numbersAreOperands: true,
        details: """
            A CONDITION is PATH OPERATOR VALUE, PATH exists, PATH gone, or an expression in one word. The operators are
            = == != < <= > >=, or eq ne lt le gt ge, and ~, which takes a regular expression that occurs in text. PATH
            alone waits until it is not null, another expression until it is true; a text in it has quotes. It waits for
            a daemon, and through restarts of it.

            Examples:
              observectl wait app.volume ge 50 library.films.@count = 2
              observectl wait 'app.volume > library.films.@count * 10'
              observectl wait --timeout 2s --any app.volume '>' 90 library.headline '~' Al
            """,
        manual: """
            An expression, like 'room.celsius < room.target && !room.away', may have several paths. A text in it has quotes, as
            in "player.status == 'Playing'". A name behind = or != that may be a text or a path is refused, as in light=on:
            light = on in three words compares with a text, and 'light == \\on' with the root on.

            Order is of numbers with numbers, and of text with text. It never misses a commit at which the conditions held, as long as the daemon runs. After a restart it also
            judges the missed changes that the daemon still has. VALUE is read as set reads it. Between other kinds than
            numbers, or text, an order does not hold. Options may be before, between and after the conditions; a
            negative number is a VALUE. With --for, the conditions hold that long without a gap. After the timeout the
            status is 124, and the message names the conditions that do not hold, with the values there. Of an expression,
            the value is printed. On a value that is larger than the daemon shows, no condition holds.

            A backslash makes the next character a part of PATH, as in a\\~b. It also makes a root of a word that looks like an operator or
            a value, as in '\\eq'.

            A regular expression has characters, '.', sets such as [a-z] and [^0-9], groups, '|', and the quantifiers
            * + ? {2,5}. It has ^ $ \\b \\A \\z, classes \\d \\w \\s and \\p{Lu}, and the flags (?i), (?s) and (?m). A search
            takes time in proportion to the text. So there are no references to groups, no lookaround, and no atomic groups.
            """
    ) { (invocation) throws(CommandError) in try Waiting(invocation).run() }
}

private final class Waiting {
    private static let shownBytes = 200

    private let invocation: Invocation
    private let conditions: [Condition]
    private var isAny: Bool { invocation.arguments.has("--any") }
    private let duration: UInt64
    private let follower: Follower
    private var paths: ObservedPaths
    /// Whether each condition held at the last frame; empty before the first.
    private var held: [Bool] = []
    /// The time since which the conditions hold without a gap; nil while they do not.
    private var start: MonotonicTime?

    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        self.invocation = invocation
        conditions = try ConditionParser.parse(arguments)
        duration = try arguments.duration("--for", mayBeZero: true)?.nanoseconds ?? 0
        let unique = conditions.flatMap(\.paths).withoutRepeats
        paths = try ObservedPaths(unique, under: nil, of: arguments)
        // Every change, since what held for one commit alone counts.
        let params: RequestParams = [
            "paths": RawJSON(.array(unique.map(Value.string))), "whole": true, "delivery": "every",
        ]
        follower = Follower(invocation, params, readsAhead: true)
    }

    func run() throws(CommandError) {
        do throws(CommandError) { try follow() } catch .client(.timedOut) { throw .expired(lack) }
    }

    private func follow() throws(CommandError) {
        var isFirst = true
        while true {
            switch try follower.next(until: start?.adding(nanoseconds: duration)) {
            case .subscribed: break
            case .frame(let events):
                try judge(events)
                if duration == 0, start != nil { return try printValues() }
                if isFirst {
                    let paths = conditions.flatMap(\.paths)
                    invocation.reportMissingRoots(paths.map { (path: $0, value: raw($0) ?? "") })
                }
                isFirst = false
            case nil:
                if try hasHeld() { return try printValues() }
            }
        }
    }

    /// Ends at the first commit after which the conditions hold long enough: missed changes are one frame of several.
    private func judge(_ frame: [ChangeEvent]) throws(CommandError) {
        for (index, event) in frame.enumerated() {
            paths.apply(event)
            let next = index + 1 < frame.count ? frame[index + 1] : nil
            if let next, next.params.int("revision") == event.params.int("revision") { continue }
            try judge()
            if duration == 0, start != nil { return }
        }
    }

    private func judge() throws(CommandError) {
        held = []
        for condition in conditions {
            let values = values(of: condition)
            let holds = values.map { condition.holds(for: $0, until: invocation.deadline) } ?? false
            guard let holds else { throw .client(.timedOut) }
            held.append(holds)
        }
        let isMet = isAny ? held.contains(true) : held.allSatisfy(\.self)
        start = isMet ? start ?? .now : nil
    }

    private var lack: String {
        guard held.count == conditions.count else {
            return paths.value(0) == nil
                ? "the daemon has sent no values" : "a regular expression takes too long"
        }
        let sentences = zip(conditions, held).filter { !$1 }.map { condition, _ in
            let values = condition.paths.map { path in
                let text = raw(path)?.text.cut(atBytes: Waiting.shownBytes)
                return "\(path) is \(text ?? "larger than the daemon shows")"
            }
            return "\(condition.text) does not hold, \(values.joined(separator: ", "))"
        }
        return sentences.isEmpty
            ? "the conditions hold, but not for the time of --for" : sentences.joined(separator: "; ")
    }

    /// Nil if one of them is too large to be known.
    private func values(of condition: Condition) -> [Value]? {
        let values = condition.paths.compactMap { path in raw(path).map { (try? $0.value()) ?? .null } }
        return values.count == condition.paths.count ? values : nil
    }

    private func raw(_ path: String) -> RawJSON? { paths.position(of: path).flatMap { paths.value($0) } }

    /// Whether the conditions still hold after everything that the daemon has sent by now.
    private func hasHeld() throws(CommandError) -> Bool {
        let begin = start
        guard try follower.synchronize() else { return false }
        while follower.hasWaitingEvent {
            guard case .frame(let events) = try follower.next() else { return false }
            try judge(events)
            if start != begin { return false }
        }
        return true
    }

    private func printValues() throws(CommandError) {
        for (condition, holds) in zip(conditions, held) where !isAny || holds {
            guard var value = raw(condition.paths[0]), let values = values(of: condition) else { continue }
            if case .expression = condition.test { value = RawJSON(condition.value(values)) }
            if invocation.arguments.has("--raw") {
                try invocation.print(value.unquoted)
            } else {
                try invocation.show(value)
            }
            if isAny { break }
        }
    }
}
