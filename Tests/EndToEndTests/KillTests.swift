// SPDX-License-Identifier: MIT
// Kills the real daemon under load repeatedly. Whatever it answered or sent is there after the restart.

import Glibc
import ObserveCore
import Testing

struct KillTests {
    private static let patience = TimeLimitTrait.Duration.minutes(60)

    /// The number of kills per durability; `OBSERVED_KILLS` sets another one, as `.ci/run` does for the release build.
    private static var kills: Int { Platform.environment("OBSERVED_KILLS").flatMap { Int($0) } ?? 2 }

    @Test(.timeLimit(patience), arguments: ["commit", "interval"])
    func `a killed daemon keeps every commit that it answered or sent`(durability: String) throws {
        let run = try KillRun(durability)
        for round in 1...KillTests.kills {
            let fault = try run.round(round)
            #expect(fault == nil, "round \(round)")
            if fault != nil { return }
        }
        if KillTests.kills > 2 {
            print(
                "\(durability): \(KillTests.kills) kills, \(run.answered) answers, \(run.events) events, \(run.resumed) resumed"
            )
        }
    }
}

/// Writers and a subscriber on successive daemons with one folder.
private final class KillRun {
    private static let writers = 4
    private let state: KeptState
    private var random: SystemRandomNumberGenerator = SystemRandomNumberGenerator()
    private var epoch: String?
    /// The greatest revision in an answer or event.
    private var revision: Int64 = 0
    /// Each writer's last answered value, and its last requested one.
    private var known = [Int64](repeating: 0, count: KillRun.writers)
    private var asked = [Int64](repeating: 0, count: KillRun.writers)
    /// The subscriber's last value of each path.
    private var seen: Int64 = 0
    private(set) var answered = 0
    private(set) var events = 0
    private(set) var resumed = 0

    init(_ durability: String) throws { state = try KeptState(durability) }

    /// Starts, checks, writes, kills. Returns the first fault.
    func round(_ number: Int) throws -> String? {
        let daemon = try state.start()
        let subscriber = try daemon.connect()
        if let fault = try check(subscriber) { return fault }
        let connections = try (0..<KillRun.writers).map { _ in try daemon.connect() }
        let until = Int.random(in: 1...200, using: &random)
        var rounds = 0
        // Each sends a few requests without waiting, or a few hundred, so that there are batches. Then it reads the
        // answers.
        while rounds < until {
            rounds += 1
            let most = Int.random(in: 1...40, using: &random) == 1 ? 300 : 4
            for (writer, connection) in connections.enumerated() {
                for _ in 0..<Int.random(in: 1...most, using: &random) {
                    asked[writer] += 1
                    try connection.send(request(writer, asked[writer]))
                }
            }
            if rounds == until { break }
            for (writer, connection) in connections.enumerated() {
                while known[writer] < asked[writer] {
                    guard let line = try connection.readLine() else { return "the daemon closed" }
                    if let fault = take(line, writer) { return fault }
                }
            }
        }
        // Some requests have answers, some are under way.
        daemon.process.signal(SIGKILL)
        for (writer, connection) in connections.enumerated() {
            while let line = try? connection.readLine() {
                if let fault = take(line, writer) { return fault }
            }
        }
        while let line = try? subscriber.readLine() {
            if let fault = take(event: line) { return fault }
        }
        try daemon.process.wait()
        return nil
    }

    /// Writes both values in one commit: a restart must not find half of it.
    private func request(_ writer: Int, _ value: Int64) -> String {
        let first = #"{"method":"set","params":{"path":"w\#(writer)","value":{"n":\#(value)}}}"#
        let second = #"{"method":"set","params":{"path":"twin\#(writer)","value":\#(value)}}"#
        return #"{"id":\#(value),"method":"transaction","params":{"operations":[\#(first),\#(second)]}}"#
    }

    private func take(_ line: String, _ writer: Int) -> String? {
        guard let answer = try? Value(json: line), let id = answer["id"]?.int,
            let made = answer["result"]?["revision"]?.int
        else { return "an answer is \(line)" }
        if id != known[writer] + 1 { return "answer \(id) after \(known[writer])" }
        known[writer] = id
        answered += 1
        revision = max(revision, made)
        return nil
    }

    private func take(event line: String) -> String? {
        guard let params = (try? Value(json: line))?["params"], let made = params["revision"]?.int else {
            return "an event is \(line)"
        }
        if let new = params["new"]?.int {
            if new < seen { return "sent \(new) after \(seen)" }
            seen = new
        }
        events += 1
        revision = max(revision, made)
        return nil
    }

    private func check(_ subscriber: LineConnection) throws -> String? {
        guard let line = try subscriber.ask(#"{"id":1,"method":"status"}"#),
            let status = (try? Value(json: line))?["result"], let found = status["revision"]?.int
        else { return "no status" }
        if let epoch, status["epoch"]?.string != epoch { return "the epoch changed" }
        if found < revision { return "revision \(found), and \(revision) was sent" }
        let before = revision
        revision = found
        for writer in 0..<KillRun.writers {
            let value = try self.value("w\(writer).n", subscriber)
            let twin = try self.value("twin\(writer)", subscriber)
            if value != twin { return "w\(writer) is \(value), and its twin \(twin)" }
            if value < known[writer] { return "w\(writer) is \(value), and \(known[writer]) was answered" }
            if value > asked[writer] { return "w\(writer) is \(value), and \(asked[writer]) was asked for" }
            (known[writer], asked[writer]) = (value, value)
        }
        if known[0] < seen { return "w0 is \(known[0]), and \(seen) was sent" }
        let since = epoch.map { #","since":{"epoch":"\#($0)","revision":\#(before)}"# } ?? ""
        epoch = status["epoch"]?.string
        let subscribe = #"{"id":1,"method":"subscribe","params":{"path":"w0.n"\#(since)}}"#
        guard let answer = try subscriber.ask(subscribe), let result = (try? Value(json: answer))?["result"]
        else {
            return "no subscription"
        }
        if result["resumed"]?.bool == true { resumed += 1 }
        let count = result["replayed"]?.int ?? result["initial"]?.int ?? 0
        for _ in 0..<count {
            guard let line = try subscriber.readLine() else { return "the events are missing" }
            if let fault = take(event: line) { return fault }
        }
        return nil
    }

    private func value(_ path: String, _ connection: LineConnection) throws -> Int64 {
        let line = try connection.ask(#"{"id":1,"method":"get","params":{"path":"\#(path)"}}"#) ?? "null"
        return (try? Value(json: line))?["result"]?["value"]?.int ?? 0
    }
}
