// SPDX-License-Identifier: MIT
// The same bytes to two hubs, one of them without fast paths: every byte of their output is the same.
//
// Lines between two directives arrive as one piece. The directives:
//
//     !journal commit|interval|none   both hubs keep a journal; counts as the first line only
//     !client N                       the next lines come from client N
//     !cut                            the last line feed before this line does not arrive
//     !sleep N                        client N stops reading, or reads again
//     !pass MS                        time passes
//     !full                           the disk is full, or has space again

@testable import ObserveCore

func fuzzRequests(_ input: [UInt8]) {
    let parts = parts(of: input)
    let (fast, general) = (Side(parts.first), Side(parts.first))
    for fastPath in FastPathSwitch.allCases { fastPath.turnOff(in: general.hub) }
    for (index, part) in parts.enumerated() {
        let isCut = index + 1 < parts.count && parts[index + 1].isCut
        fast.play(part, isCut: isCut)
        general.play(part, isCut: isCut)
        requireEqual(fast.hub.tree.revision, general.hub.tree.revision, "two revisions")
    }
    let (found, expected) = (fast.finish(), general.finish())
    requireEqual(found, expected, "two outputs")
    requireEqual(fast.hub.tree.stateDump, general.hub.tree.stateDump, "two states")
    requireEqual(fast.hub.tree.faults(), [], "with fast paths")
    requireEqual(general.hub.tree.faults(), [], "without fast paths")
    for client in 0..<Side.clientCount { fast.checkAnswers(of: client, in: found[client]) }
    for side in [fast, general] { side.hub.journaling.closeJournal() }
    requireEqual(fast.kept, general.kept, "two journals")
}

extension InputPart {
    fileprivate var isCut: Bool {
        if case .directive(let words) = self { words == ["cut"] } else { false }
    }
}

/// A hub with a few models and clients.
private final class Side {
    static let clientCount = 4
    private static let roots = [
        ("a", #"{"x":1,"y":"one","m":{"x":2,"z":null},"l":[1,{"x":3}],"w":null}"#), ("b", "0"),
        ("t", #"{"d":0.5,"n":{"k":"one"},"any":1}"#),
    ]

    let hub: Hub
    private let clock = TestClock()
    private let disk = SimulatedDisk(seed: 1)
    private var clients: [FakeClient] = []
    private var speaker = 0
    /// The bytes that each client has sent.
    private var sent: [[UInt8]]
    /// Whether the hub has executed all of them.
    private var isComplete = true

    init(_ first: InputPart?) {
        hub = Hub.with([], clock: clock)
        sent = Array(repeating: [], count: Side.clientCount)
        Side.declareType(in: hub.tree)
        hub.journaling.epoch = "e"
        if case .directive(let words) = first, words.first == "journal" {
            let conditions = StartConditions(
                durability: words.count > 1 ? Durability(rawValue: words[1]) ?? .interval : .interval,
                boot: "b",
                clockOffset: 1_000_000,
                freshEpoch: "e"
            )
            do { hub.journaling.keep(try Recovery.open(hub.tree, on: disk, conditions).journal) } catch {
                fatalError("\(error)")
            }
        }
        for (name, json) in Side.roots {
            do throws(TreeError) { try hub.tree.define(root: name, json: json) } catch {
                fatalError(error.message)
            }
        }
        hub.journaling.flushBatch()
        for number in 0..<Side.clientCount { clients.append(FakeClient(hub, token: UInt64(number + 1))) }
        clients[1].send(
            #"{"id":1,"method":"subscribe","params":{"paths":["a.x","a.y","b","a.m.x"],"old":true,"origin":true}}"#
        )
        clients[2].send(#"{"id":1,"method":"subscribe","params":{"path":"**"}}"#)
        for client in clients { _ = client.take() }
    }

    private static func declareType(in tree: ModelTree) {
        var computed = PropertyDeclaration("c", "Any")
        computed.computed = "{i}: {n.k}"
        var fixed = PropertyDeclaration("r", "Int")
        fixed.isReadonly = true
        var weak = PropertyDeclaration("w", "T?")
        weak.isWeak = true
        let type = TypeDeclaration(
            "T",
            [
                PropertyDeclaration("s", "String"), PropertyDeclaration("i", "Int"),
                PropertyDeclaration("d", "Double?"), PropertyDeclaration("b", "Bool"),
                PropertyDeclaration("n", "[String: String]"), PropertyDeclaration("any", "Any"),
                PropertyDeclaration("list", "[T]"), weak, fixed, computed,
            ]
        )
        requireEqual(tree.declare([type]), [], "the type")
        do throws(DeclarationFault) { try tree.declare(root: "t", type: "T") } catch {
            fatalError("\(error)")
        }
    }

    func play(_ part: InputPart, isCut: Bool) {
        switch part {
        case .bytes(var bytes):
            if isCut, bytes.last == 0x0A { bytes.removeLast() }
            sent[speaker] += bytes
            if !clients[speaker].send(bytes: bytes) { isComplete = false }
        case .directive(let words): follow(words)
        }
    }

    private func follow(_ words: [String]) {
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        switch words.first {
        case "client": speaker = ((number % Side.clientCount) + Side.clientCount) % Side.clientCount
        case "sleep" where (0..<Side.clientCount).contains(number): clients[number].isAsleep.toggle()
        case "pass": clock.pass(milliseconds: UInt64(min(max(number, 0), 100_000)), in: hub)
        case "full": disk.isFull.toggle()
        default: return
        }
    }

    /// The lines of all clients, after everything that waits was sent.
    func finish() -> [[String]] {
        disk.isFull = false
        for client in clients where client.isAsleep { client.isAsleep = false }
        clock.pass(milliseconds: 1000, in: hub)
        return clients.map { $0.take() }
    }

    var kept: [String] {
        let names = (try? disk.names()) ?? []
        return names.map { "\($0): \(String(decoding: (try? disk.read($0)) ?? [], as: UTF8.self))" }
    }

    /// Each request with an id, and each line that is not a request, has one answer.
    func checkAnswers(of client: Int, in lines: [String]) {
        guard isComplete, !lines.contains(where: { $0.contains(#""method":"goodbye""#) }) else { return }
        var expected = 0
        for line in sent[client].split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            guard let count = answerCount(Array(line)) else { return }
            expected += count
        }
        let found = lines.count { $0.hasPrefix(#"{"jsonrpc":"2.0","id":"#) || $0.hasPrefix("[") }
        requireEqual(found, expected, "answers to client \(client): \(lines)")
    }
}

/// The number of answers to a line; nil if a simple reader can't say.
private func answerCount(_ line: [UInt8]) -> Int? {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return 0 }
    let value: Value
    do throws(JSONError) { value = try Value(json: line, maxDepth: 40) } catch {
        let isUnclear = [.tooDeep, .integerOutOfRange, .doubleOutOfRange, .doubleTooSmall].contains(
            error.reason
        )
        return isUnclear ? nil : 1
    }
    if let elements = value.array { return elements.isEmpty || elements.contains(where: isAnswered) ? 1 : 0 }
    return isAnswered(value) ? 1 : 0
}

private func isAnswered(_ request: Value) -> Bool {
    guard request.object != nil else { return true }
    return request["id"] != nil || request["method"]?.string == nil
}
