// SPDX-License-Identifier: MIT
// `observectl wait`: ends when conditions hold. Independent of the form of conditions.

import ObserveCore

extension CommandSpec {
    static let wait = CommandSpec(
        name: "wait",
        operands: "CONDITION…",
        operandCount: 1...Int.max,
        summary: "wait until all conditions hold at one commit, and print their values",
        options: [
            OptionSpec("--any", nil, "until one of the conditions holds; print that value"),
            OptionSpec("--for", "TIME", "until they have held that long: 2 (seconds), 200ms, 25m"),
            OptionSpec("--raw", nil, "print a string without its quotes"),
        ],
        numbersAreOperands: true,
        details: [
            """
            A CONDITION is PATH [= | != | < | <= | > | >= | ~ VALUE | exists | gone]. PATH alone means exists:
            the value is not null. Order is of numbers with numbers, and of text with text. '~' takes a regular
            expression that occurs in text. Quote < and >. It waits for a daemon, and through restarts of it.
            """,
            """
            Examples:
              observectl wait app.volume '>=' 50 library.films.@count = 2
              observectl wait --timeout 2s --any app.volume '>' 90 library.headline '~' Al
            """,
        ],
        manual: [
            """
            It never misses a commit at which the conditions held, as long as the daemon runs. After a restart it also
            judges the missed changes that the daemon still has. VALUE is read as set reads it. Between other kinds than
            numbers, or text, an order does not hold. Options may be before, between and after the conditions; a
            negative number is a VALUE. With --for, the conditions hold that long without a gap. After the timeout the
            status is 124.
            """
        ],
        run: { (invocation) throws(CommandError) in
            let waiting = try Waiting(invocation)
            try waiting.run()
        }
    )
}

/// One run of `wait`.
private final class Waiting {
    private let invocation: Invocation
    private let conditions: [Condition]
    private let isAny: Bool
    private let duration: UInt64
    private let follower: Follower
    private var paths: ObservedPaths
    /// The time since which the conditions hold without a gap; nil while they do not.
    private var start: MonotonicTime?

    init(_ invocation: Invocation) throws(CommandError) {
        let arguments = invocation.arguments
        self.invocation = invocation
        conditions = try Condition.parse(arguments.operands, arguments)
        isAny = arguments.has("--any")
        duration = try arguments.duration("--for", bare: .seconds)?.nanoseconds ?? 0
        var unique: [String] = []
        for path in conditions.map(\.path) where !unique.contains(path) { unique.append(path) }
        paths = try ObservedPaths(unique, under: nil, of: arguments)
        // Every change, since what held for one commit alone counts.
        let params: RequestParams = [
            "paths": RawJSON(.array(unique.map(Value.string))), "whole": RawJSON(true),
            "delivery": RawJSON("every"),
        ]
        follower = Follower(invocation, params, readsAhead: true)
    }

    func run() throws(CommandError) {
        while true {
            switch try follower.next(until: start?.adding(nanoseconds: duration)) {
            case .subscribed: break
            case .frame(let events):
                judge(events)
                if duration == 0, start != nil { return try printValues() }
            case nil:
                if try hasHeld() { return try printValues() }
            }
        }
    }

    private func judge(_ frame: [ChangeEvent]) {
        for event in frame { paths.apply(event) }
        let held = conditions.map(holds)
        let isMet = isAny ? held.contains(true) : held.allSatisfy(\.self)
        start = isMet ? start ?? .now : nil
    }

    private func holds(_ condition: Condition) -> Bool { condition.holds(for: value(of: condition)) }

    private func value(of condition: Condition) -> Value {
        (try? raw(of: condition).value()) ?? .null
    }

    private func raw(of condition: Condition) -> RawJSON {
        paths.position(of: condition.path).flatMap { paths.value($0) } ?? RawJSON(.null)
    }

    /// Whether the conditions still hold after everything that the daemon has sent by now.
    private func hasHeld() throws(CommandError) -> Bool {
        let begin = start
        guard try follower.synchronize() else { return false }
        while follower.hasWaitingEvent {
            guard case .frame(let events) = try follower.next() else { return false }
            judge(events)
            if start != begin { return false }
        }
        return true
    }

    private func printValues() throws(CommandError) {
        for condition in conditions where !isAny || holds(condition) {
            let value = raw(of: condition)
            if invocation.arguments.has("--raw") {
                try invocation.print(value.unquoted)
            } else {
                try invocation.show(value)
            }
            if isAny { break }
        }
    }
}
