// SPDX-License-Identifier: MIT
// Random requests of a restricted client. Granted ones do the same as for any client; the hub refuses the rest
// without effect. The test has its own check of grants, on lists of names.

import Testing

@testable import ObserveCore

struct AccessRandomTests {
    private static let names = ["a", "b", "c", "0"]

    /// A request, and the paths that it reads and writes: names up to the first wildcard or operator.
    private struct Attempt {
        var line: String
        var reads: [[String]] = []
        var writes: [[String]] = []
        /// The answer to a write names the outcome, so it reads.
        var tells: [[String]] = []
    }

    private struct Maker {
        var random: SeededGenerator

        mutating func path() -> [String] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                AccessRandomTests.names.randomElement(using: &random) ?? ""
            }
        }

        mutating func prefixes() -> [[String]] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Array(path().prefix(Int.random(in: 0...8, using: &random) == 0 ? 0 : 2))
            }
        }

        mutating func value() -> String {
            ["1", "2", "null", #"{"a":{"b":1},"b":[1,{"c":2}]}"#, #"[{"a":1},2]"#, #""x""#].randomElement(
                using: &random
            ) ?? ""
        }

        private func text(_ path: [String]) -> String { path.joined(separator: ".") }

        /// A random write, as a request and as an operation.
        private mutating func write() -> (method: String, params: String, Attempt) {
            let (path, target) = (path(), path())
            var attempt = Attempt(line: "", writes: [path], tells: [path])
            var params = #""path":"\#(text(path))""#
            let method: String
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: (method, params) = ("set", params + #","value":\#(value())"#)
            case 2: (method, params) = ("merge", params + #","value":\#(value())"#)
            case 3: method = "remove"
            case 4: method = "increment"
            case 5:
                (method, params) = ("link", params + #","target":"\#(text(target))""#)
                attempt.reads.append(target)
            case 6: (method, params) = ("insert", params + #","value":\#(value())"#)
            default:
                (method, params) = ("insert", params + #","target":"\#(text(target))""#)
                attempt.reads.append(target)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                params += #","ifValue":\#(value())"#
                attempt.reads.append(path)
            }
            return (method, "{\(params)}", attempt)
        }

        mutating func attempt() -> Attempt {
            let (path, other) = (path(), path())
            let literal = text(path)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return request("get", #"{"path":"\#(literal)"}"#, Attempt(line: "", reads: [path]))
            case 1: return request("get", #"{"path":"\#(literal).@count"}"#, Attempt(line: "", reads: [path]))
            case 2: return request("describe", #"{"path":"\#(literal)"}"#, Attempt(line: "", reads: [path]))
            case 3:
                let tail = ["", ".*", ".**", ".*.a"].randomElement(using: &random) ?? ""
                return request(
                    "subscribe",
                    #"{"paths":["\#(literal)\#(tail)","\#(text(other))"]}"#,
                    Attempt(line: "", reads: [path, other])
                )
            case 4:
                let tail = ["*", "**", "*.a"].randomElement(using: &random) ?? ""
                return request("subscribe", #"{"path":"\#(tail)"}"#, Attempt(line: "", reads: [[]]))
            case 5:
                let isTwoWay = Bool.random(using: &random)
                return request(
                    "bind",
                    #"{"source":"\#(literal)","target":"\#(text(other))","twoWay":\#(isTwoWay)}"#,
                    Attempt(
                        line: "",
                        reads: isTwoWay ? [path, other] : [path],
                        writes: isTwoWay ? [path, other] : [other]
                    )
                )
            case 6:
                let (first, second) = (write(), write())
                var both = first.2
                both.reads += second.2.reads
                both.writes += second.2.writes
                both.tells += second.2.tells
                let operations = [first, second].map { #"{"method":"\#($0.method)","params":\#($0.params)}"# }
                return request(
                    "transaction",
                    #"{"operations":[\#(operations.joined(separator: ","))]}"#,
                    both
                )
            default:
                let write = write()
                return request(write.method, write.params, write.2)
            }
        }

        private func request(_ method: String, _ params: String, _ attempt: Attempt) -> Attempt {
            var attempt = attempt
            attempt.line = #"{"id":1,"method":"\#(method)","params":\#(params)}"#
            return attempt
        }
    }

    private func covers(_ prefixes: [[String]], _ paths: [[String]]) -> Bool {
        paths.allSatisfy { path in prefixes.contains { path.starts(with: $0) } }
    }

    private func hub() -> Hub {
        let hub = Hub.with([
            ("a", #"{"a":{"b":1},"b":[{"c":1},2],"c":3}"#), ("b", "[1,2]"), ("c", #"{"a":null}"#),
        ])
        hub.journaling.epoch = "epoch"
        return hub
    }

    /// Without instance numbers: an undone transaction skips some.
    private func plain(_ lines: [String]) -> [String] {
        lines.map {
            $0.contains(#""instance":"#) ? $0.replacing(/"instance":\d+,/, with: "") : $0
        }
    }

    @Test(arguments: seeds(12, usually: 4))
    func `the hub executes granted requests as usual, and refuses others`(seed: UInt64) {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let (read, write) = (maker.prefixes(), maker.prefixes() + [["c"]])
        let (mine, theirs) = (hub(), hub())
        let grant = Grant(read: read.map { PathPrefix($0) }, write: write.map { PathPrefix($0) })
        let guest = FakeClient(mine, token: 2, grant: grant)
        let free = FakeClient(theirs, token: 2)
        let (owner, reference) = (FakeClient(mine, token: 3), FakeClient(theirs, token: 3))
        var (covered, refused) = (0, 0)
        for step in 1...150 {
            let attempt = maker.attempt()
            if covers(read, attempt.reads), covers(write, attempt.writes) {
                let (said, expected) = (guest.ask(attempt.line), free.ask(attempt.line))
                let isHidden = !covers(read, attempt.tells)
                if isHidden {
                    // Either is an error, or neither.
                    let isError = expected.last?.contains(#""error""#)
                    #expect(said.last?.contains(#""error""#) == isError, "seed \(seed), step \(step)")
                    #expect(said.dropLast() == expected.dropLast())
                } else {
                    #expect(plain(said) == plain(expected), "seed \(seed), step \(step): \(attempt.line)")
                }
                #expect(isHidden || said.last?.contains(#""code":5,"#) == false, "\(attempt.line)")
                covered += 1
            } else {
                let said = guest.ask(attempt.line)
                let isRefused = said.count == 1 && said[0].contains(#""name":"accessDenied""#)
                // An operation before the refused one may fail by itself.
                let hasFailed =
                    attempt.line.contains(#""method":"transaction""#) && said.last?.contains("error") == true
                #expect(isRefused || hasFailed, "seed \(seed), step \(step): \(attempt.line): \(said)")
                refused += 1
            }
            for root in ["a", "b", "c"] {
                let get = #"{"id":1,"method":"get","params":{"path":"\#(root)"}}"#
                #expect(owner.ask(get) == reference.ask(get), "seed \(seed), step \(step): \(attempt.line)")
            }
        }
        let mayDoAll = covers(read, [[]]) && covers(write, [[]])
        #expect(covered > 0 && (refused > 0 || mayDoAll))
        #expect(mine.tree.faults() == [])
    }

    /// Two guests with different grants take turns. Beside it, the same two in a hub where an owner's request, refused
    /// without effect, fills the storage of requests before each of theirs.
    @Test(arguments: seeds(24, usually: 6))
    func `an answer is independent of the request before`(seed: UInt64) {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let grants = (0..<2).map { _ in
            Grant(
                read: maker.prefixes().map { PathPrefix($0) },
                write: (maker.prefixes() + [maker.path()]).map { PathPrefix($0) }
            )
        }
        let (mine, theirs) = (hub(), hub())
        let guests = grants.enumerated().map { FakeClient(mine, token: UInt64($0) + 2, grant: $1) }
        let others = grants.enumerated().map { FakeClient(theirs, token: UInt64($0) + 2, grant: $1) }
        let owner = FakeClient(theirs, token: 9)
        let link = #"{"id":1,"method":"link","params":{"path":"x.y.z","target":"u.v.w"}}"#
        var refused = 0
        for step in 1...200 {
            let turn = Int.random(in: 0..<2, using: &maker.random)
            let line = maker.attempt().line
            #expect(owner.ask(link).last?.contains(#""error""#) == true)
            let (said, expected) = (guests[turn].ask(line), others[turn].ask(line))
            #expect(said == expected, "seed \(seed), step \(step): \(line)")
            #expect(guests[1 - turn].take() == others[1 - turn].take(), "seed \(seed), step \(step): \(line)")
            if said.last?.contains(#""error""#) == true { refused += 1 }
        }
        #expect(refused > 0)
    }
}
