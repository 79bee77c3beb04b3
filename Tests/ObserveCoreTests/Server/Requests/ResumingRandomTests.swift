// SPDX-License-Identifier: MIT
// Random disconnections during random writes. A resuming client must get the same lines as a client that stayed.

import Testing

@testable import ObserveCore

@Suite struct ResumingRandomTests {
    @Test(arguments: seeds(12, usually: 1))
    func `a resuming client gets exactly the missed events`(seed: UInt64) {
        var run = ResumingRun(seed: seed)
        run.run(seed: seed, steps: many(400, usually: 80))
        #expect(run.resumed > many(150, usually: 30), "\(run.resumed) resumed")
        #expect(run.events > many(1000, usually: 200), "\(run.events) events")
    }
}

/// A line that a client got, without its `more`, and its members.
private struct SentLine {
    let line: String
    let hasMore: Bool
    let path: String
    let revision: Int
    let isPrior: Bool

    init(_ line: String) {
        hasMore = line.hasSuffix(#","more":true}}"#)
        let whole = hasMore && !line.contains(#""prior":true"#) ? line.dropLast(14) + "}}" : line
        // Which of two equal numbers an operator shows depends on the history.
        self.line = whole.contains("@") ? whole.replacingAll("1.0", by: "1") : whole
        let params = try? Value(json: Array(line.utf8), maxDepth: 100)["params"]
        path = params?["path"]?.string ?? ""
        revision = Int(params?["revision"]?.int ?? -1)
        isPrior = params?["prior"] != nil
    }
}

/// One run: a hub, clients that stay, and clients that resume.
private struct ResumingRun: SeededRun, RandomModels {
    private static let paths = [
        "a", "a.x", "a.y", "a.m", "a.m.k", "a.m.n.z", "a.m.n", "a.r", "a.r.0", "a.r.1.k", "a.r.0.1", "a.w",
        "a.w.k", "b",
        "b.m", "b.m.k", "b.l", "b.l.k", "b.l.n.z", "s.n", "a.none.x",
        "s.bound", "s.link", "s.link.k", "a.r.@count", "a.r.@max.k", "b.@count", "a.@sum",
        "a.m.@unionOfObjects",
        "t.a.c", "t.a.n", "t.a.c.k", "t.b.m.k", "t.b.c",
    ]
    private static let patterns = [
        ["*"], ["**"], ["a.*"], ["a.**"], ["a.r.*"], ["a.*.k"], ["*.m.*"], ["b.l.**"], ["a.r.*.**"],
        ["a.*.@count"],
        ["a.**", "b.*"], ["a.**", "a.r.*"], ["b.m", "a.m.*.z"], ["a.w.*", "s.*"], ["*.*.**"],
        ["s.link.**", "a.none.*"],
        ["t.*[c != null].n"], ["t.*.*"], ["t.*.m.k", "t.*.c.k"], ["t.*.c"], ["t.*.d"],
    ]
    /// Types that the properties `c` and `d` of the models in `t` have after each other.
    private static let types = [
        "computed Any = {n}", "computed Any = {n > 1 ? n : null}", "computed Any = {m}",
        "computed Any = {m.k}", "weak K?", "K?",
    ]
    /// What the steady clients subscribe to, one each: all literal paths with each set of options, then patterns.
    private static let variants: [(paths: [String], options: String)] = (0..<8 + patterns.count).map {
        index in
        let bits = index < 8 ? index : [0, 1, 5, 3, 4, 1, 7, 0][index % 8]
        return (
            index < 8 ? paths : patterns[index - 8],
            #""old":\#(bits & 1 > 0),"prior":\#(bits & 2 > 0),"distinct":\#(bits & 4 == 0)"#
        )
    }

    let hub: Hub
    let writer: FakeClient
    /// One client for each variant, which stays.
    let steady: [FakeClient]
    /// The revision at which they subscribed.
    let start: Int
    var sent: [[SentLine]]
    /// Clients that have resumed, and how many of the steady client's lines each has got.
    var guests: [(client: FakeClient, variant: Int, paths: [String], seen: Int)] = []
    var random: SeededGenerator
    var fault: String?
    var log: [String] = []
    var lastModel = 0
    var resumed = 0
    var events = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        hub = Hub.with([("s", #"{"n":0}"#), ("a", #"{"m":{"k":1},"r":[1,[2,3],{"k":4}]}"#)])
        hub.tree.keepHistory(commits: [30, 100, 1000][Int(seed % 3)])
        writer = FakeClient(hub, token: 1)
        Self.declare("weak K?", nil, in: hub)
        _ = writer.ask(#"{"id":1,"method":"set","params":{"path":"t","value":{"a":{},"b":{"n":1}}}}"#)
        for (source, target) in [("a.m.k", "s.bound"), ("b.l", "s.link")] {
            _ = writer.ask(
                #"{"id":1,"method":"bind","params":{"source":"\#(source)","target":"\#(target)","twoWay":true}}"#
            )
        }
        let hub = hub
        steady = Self.variants.map { paths, options in
            let client = FakeClient(hub, token: 2)
            let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
            _ = client.ask(
                #"{"id":1,"method":"subscribe","params":{"paths":[\#(list)],"initial":false,\#(options)}}"#
            )
            return client
        }
        start = Int(hub.tree.revision)
        sent = steady.map { _ in [] }
    }

    mutating func step() {
        for _ in 0..<below(4) { write() }
        if below(6) == 0 { retype() }
        for index in steady.indices { sent[index] += steady[index].take().map(SentLine.init) }
        check()
        if fault == nil { resume() }
        if fault == nil, guests.count > 3 { guests.removeFirst().client.close() }
        if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(12).joined(separator: "\n") }
    }

    // MARK: Writing

    mutating func scalar() -> String { pick(["0", "1", "1.0", "2", "null", "true", #""t""#]) }

    private mutating func retype() {
        let (c, d) = (pick(Self.types), below(3) == 0 ? nil : pick(Self.types))
        log.append("types: c: \(c), d: \(d ?? "-")")
        Self.declare(c, d, in: hub)
    }

    /// Declares the types of `t`, with other properties in its models.
    private static func declare(_ c: String, _ d: String?, in hub: Hub) {
        let lines = ["n: Any", "m: K?", "c: \(c)"] + (d.map { ["d: \($0)"] } ?? [])
        let declarations = TypeDeclarations(
            types: [
                TypeDeclaration("T", lines.map(PropertyDeclaration.init(line:))),
                TypeDeclaration("K", "k: Any"),
            ],
            roots: [RootDeclaration("t", "[String: T]")]
        )
        do {
            try hub.journaling.change { tree in
                guard let plan = tree.plan(declarations) else { return }
                do { try tree.layOut { try tree.apply(plan) } } catch { Issue.record(error) }
            }
        } catch {
            Issue.record(error)
        }
    }

    private mutating func operation() -> String {
        func call(_ method: String, _ path: String, _ rest: String = "") -> String {
            #""method":"\#(method)","params":{"path":"\#(path)"\#(rest)}"#
        }
        if below(4) == 0 {
            let path = "t." + pick(["a", "b", "c"])
            switch below(7) {
            case 0..<2: return call("set", path + ".n", #","value":\#(scalar())"#)
            case 2: return call("set", path + ".m", #","value":{"k":\#(scalar())}"#)
            case 3: return call("set", path, #","value":{"n":\#(scalar()),"m":{"k":1}}"#)
            case 4: return call("set", path + ".m.k", #","value":\#(scalar())"#)
            case 5:
                let target = pick(["t.a.m", "t.b.m"])
                return call("link", path + pick([".c", ".d", ".m"]), #","target":"\#(target)""#)
            default: return call("remove", path + pick(["", ".c", ".m"]))
            }
        }
        switch below(26) {
        case 0..<5:
            let path = pick(["a.x", "a.y", "a.m.k", "a.m.n.z", "b.m.k", "a.w.k", "b.l.k", "s.bound"])
            return call("set", path, #","value":\#(scalar())"#)
        case 5..<8: return call("set", pick(["a.m", "a.m.n", "b.m", "a.r.1"]), #","value":\#(model())"#)
        case 8: return call("set", pick(["a", "b"]), #","value":\#(model())"#)
        case 9: return call("set", pick(["a.m", "a.m.n", "b", "b.l", "a.w"]), #","value":null"#)
        case 10: return call("set", "a.r", #","value":\#(array())"#)
        case 11..<13: return call("set", pick(["a.r.0", "a.r.1", "a.r.0.1"]), #","value":\#(scalar())"#)
        case 13..<16:
            return call("insert", pick(["a.r", "a.r.0"]), #","value":\#(scalar()),"index":\#(below(2))"#)
        case 16: return call("remove", pick(["a.r.0", "a.r.1", "a.r", "a.x", "b.l", "a.m.k", "a.r.0.0"]))
        case 17: return call("remove", pick(["a", "b", "a.m", "b.m"]))
        case 18..<20:
            let target = pick(["a.m", "b.m", "a.m.n"])
            return call("link", pick(["b.l", "a.m", "a.r.0"]), #","target":"\#(target)""#)
        case 20..<22: return call("link", "a.w", #","target":"\#(pick(["a.m", "b.m"]))","weak":true"#)
        case 22:
            return call("merge", pick(["a", "a.m", "b"]), #","value":{"k":\#(scalar()),"x":\#(scalar())}"#)
        default: return call("increment", "s.n")
        }
    }

    private mutating func write() {
        var request = operation()
        if below(3) == 0 {
            let operations = (0...below(4)).map { _ in "{\(operation())}" }.joined(separator: ",")
            request = #""method":"transaction","params":{"operations":[\#(operations)]}"#
        }
        log.append(request)
        _ = writer.ask(#"{"id":1,\#(request)}"#)
    }

    // MARK: Resuming

    /// Sorted, since the order of paths within a commit depends on other clients' subscriptions.
    private static func ordered(_ sent: [SentLine]) -> [String] {
        sent.enumerated().sorted {
            let (a, b) = ($0.element, $1.element)
            let (first, second) = ((a.revision, a.path), (b.revision, b.path))
            return first == second ? $0.offset < $1.offset : first < second
        }.map(\.element.line)
    }

    private func state() -> [String] {
        ["a", "b", "s", "t"].map { root in
            let text = ByteBuffer()
            let path = ParsedKeyPath(maxDepth: 4)
            try? path.parse(dotted: root)
            _ = hub.tree.render(hub.tree.read(path).value, to: text)
            return text.string
        }
    }

    private mutating func resume() {
        let variant = below(2) == 0 ? below(8) : below(Self.variants.count)
        let isLiteral = variant < 8
        let current = Int(hub.tree.revision)
        let since = max(start, current - below(below(4) == 0 ? 200 : 20))
        let paths =
            !isLiteral || below(3) == 0
            ? Self.variants[variant].paths : Array(Self.paths.shuffled(using: &random).prefix(1 + below(4)))
        let before = state()
        let client = FakeClient(hub, token: 3)
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        var line =
            #"{"id":1,"method":"subscribe","params":{"paths":[\#(list)],\#(Self.variants[variant].options),"since":{"epoch":"\#(hub.journaling.epoch)","revision":\#(since)}}}"#
        let count = sent[variant].count
        // The same batch's later writes belong to the following events.
        let write = below(5) == 0 ? operation() : nil
        if let write { line = #"[\#(line),{"id":2,\#(write)}]"# }
        let isKept = since >= Int(hub.tree.records.horizon)
        let lines = client.ask(line)
        for index in steady.indices { sent[index] += steady[index].take().map(SentLine.init) }
        if write == nil, state() != before { return fault = "the tree is another after telling the past" }
        // Under a pattern without history, a path that a later write of the batch makes has its event first.
        let answer = lines.first { $0.contains(#""jsonrpc":"2.0","id":1,"#) } ?? ""
        guard isKept else {
            let isRefused = answer.contains(#""resumed":false}"#)
            if !isRefused || isLiteral && lines.count != 1 + paths.count {
                fault = "history is over, and yet: \(lines)"
            }
            client.close()
            return
        }
        let missed = sent[variant][..<count].filter {
            $0.revision > since && (!isLiteral || paths.contains($0.path))
        }
        let following = sent[variant][count...].filter { !isLiteral || paths.contains($0.path) }
        let changes = missed.count { !$0.isPrior }
        resumed += 1
        events += changes
        if !answer.contains(#""initial":0,"resumed":true,"replayed":\#(changes)}"#) {
            fault = "since \(since) of \(current): \(changes) missed, and yet \(answer)"
        }
        compare(
            Self.ordered(lines.dropFirst().map(SentLine.init)),
            Self.ordered(missed + following),
            "since \(since) of \(current), \(paths)"
        )
        if lines.dropFirst().map(SentLine.init).dropLast().contains(where: { !$0.hasMore })
            || lines.count > 1 && SentLine(lines[lines.count - 1]).hasMore
        {
            fault = fault ?? "the replay is not one frame: \(lines)"
        }
        guests.append((client, variant, paths, sent[variant].count))
    }

    /// Checks that resumed clients get the same lines as the steady ones.
    private mutating func check() {
        for index in guests.indices {
            let missed = sent[guests[index].variant][guests[index].seen...]
            let isLiteral = guests[index].variant < 8
            let expected = missed.filter { !isLiteral || guests[index].paths.contains($0.path) }
            guests[index].seen += missed.count
            let found = guests[index].client.take().map(SentLine.init)
            compare(Self.ordered(found), Self.ordered(expected), "after resuming, \(guests[index].paths)")
            for (line, next) in zip(found, found.dropFirst().map(Optional.init) + [nil])
            where line.hasMore && next?.revision != line.revision {
                fault = fault ?? "nothing follows \(line.line)"
            }
        }
    }

    private mutating func compare(_ found: [String], _ expected: [String], _ context: String) {
        guard fault == nil, found != expected else { return }
        let first = zip(found, expected).first { $0 != $1 }
        fault =
            "\(context): \(found.count) events, \(expected.count) expected; "
            + (first.map { "\n  \($0)\ninstead of\n  \($1)" } ?? "one more or less")
    }

    mutating func finish() {
        for client in steady + guests.map(\.client) + [writer] { client.close() }
        if hub.clientRecords != Hub.noClientRecords { fault = "left behind: \(hub.clientRecords)" }
        hub.tree.forgetHistory()
        let faults = hub.tree.faults()
        if !faults.isEmpty { fault = "the tree: \(faults)" }
    }
}
