// SPDX-License-Identifier: MIT
// Sends the same random requests to a hub and to the oracle, and compares both.

@testable import ObserveCore

/// The observers in a run.
enum Watching: Sendable {
    /// Only observers of changed values.
    case distinct
    /// Also observers of every assignment.
    case mixed
}

/// One run: the same requests to both. Compares answers, refusals, events and references.
final class OracleRun {
    let seed: UInt64
    let watching: Watching
    let clock = TestClock()
    let hub: Hub
    let client: FakeClient
    /// The writers, whose temporary values expire when they disconnect.
    var actors: [FakeClient]
    /// The times at which a value expires or expired, in milliseconds. Each is unique, since equal times expire in
    /// any order.
    var ends: Set<UInt64> = []
    let watcher: FakeClient
    let oracle: ReferenceTree
    var writes: RandomWrites
    var subscriptions: [OracleSubscription] = []
    var lastSubscription: Int32 = 0
    var log: [String] = []
    var past: PastAnswers
    var lastBinding = 0

    private let isLimited: Bool
    private(set) var growthCount = 0
    private(set) var writeCounts: [String: Int] = [:]
    private(set) var commitCount = 0
    private(set) var transactionCount = 0
    private(set) var undoneCount = 0
    private(set) var eventCounts: [String: Int] = [:]
    private(set) var matchCount = 0
    private(set) var refusals: [Int64: Int] = [:]
    var endCount = 0

    /// The features of a run besides models, links and arrays.
    struct Features: OptionSet {
        let rawValue: Int
        /// Random declared types.
        static let types = Features(rawValue: 1)
        /// Computed properties, which need types.
        static let computed = Features(rawValue: 2)
        static let bindings = Features(rawValue: 4)
        /// Commits that make the tree larger are refused the first time.
        static let limited = Features(rawValue: 8)
    }

    /// - Parameter lifetimes: the percentage of assignments with one.
    init(seed: UInt64, _ watching: Watching, _ features: Features = [], lifetimes: Int = 0) throws {
        self.seed = seed
        past = PastAnswers(random: SeededGenerator(seed: seed))
        self.watching = watching
        isLimited = features.contains(.limited)
        let hub = Hub.with([], clock: clock)
        self.hub = hub
        client = FakeClient(hub, token: 1)
        watcher = FakeClient(hub, token: 2)
        actors = (3...6).map { FakeClient(hub, token: $0) }
        // Few names in some runs, so that operators' key paths find properties.
        writes = RandomWrites(seed: seed, names: seed % 3 == 0 ? ["a", "b", "0"] : RandomWrites.allNames)
        writes.lifetimes = lifetimes
        oracle = ReferenceTree(
            schema: features.contains(.types)
                ? writes.schema(hasComputed: features.contains(.computed)) : RefSchema()
        )
        try oracle.schema.declare(in: hub.tree)
        if features.contains(.bindings) { try makeTargets() }
    }

    /// Makes that many commits. Returns the first difference, with the requests that led to it.
    func run(commits limit: Int) -> String? {
        while commitCount < limit {
            if commitCount % 15 == 0, let difference = changeSubscriptions() { return report(difference) }
            if !writes.targetRoots.isEmpty, writes.chance(8), let difference = changeBindings() {
                return report(difference)
            }
            if let difference = step() { return report(difference) }
            if writes.lifetimes > 0, let difference = endSome() { return report(difference) }
            if let difference = comparePast() { return report(difference) }
            if commitCount % 20 == 0, let difference = compareWhole() { return report(difference) }
        }
        return finish().map(report)
    }

    private func report(_ difference: String) -> String {
        let bindings = oracle.bindings.map { "\n" + $0.text }.joined()
        return "seed \(seed), commit \(commitCount): \(difference)\(bindings)\n"
            + log.suffix(30).joined(separator: "\n")
    }

    // MARK: One commit

    private func step() -> String? {
        let count = writes.chance(30) ? 1 + writes.below(6) : 1
        let isTransaction = count > 1 || writes.chance(3)
        let before = isTransaction ? (roots, TreeCounts(hub.tree)) : nil
        let actor = actors[writes.below(actors.count)]
        oracle.owner = actor.session.number
        let (request, expected) = makeRequest(count, isTransaction: isTransaction)
        log.append(request)
        if log.count > 40 { log.removeFirst(30) }
        commitCount += 1
        let (first, trace) = isLimited ? tryWithoutRoom(request, actor) : (nil, nil)
        if let trace { return trace }
        var dry: DryRun?
        if !isLimited, past.random.next() % 8 == 0 {
            let (run, fault) = dryRun(request, actor)
            if let fault { return fault }
            dry = run
        }
        let answer = first ?? actor.ask(request).joined(separator: "\n")
        if let dry, let fault = compare(dry, with: answer) { return fault }
        guard answer == expected || isExpected(answer, refusal: expected) else {
            return "expected \(expected), found \(answer)"
        }
        if expected.hasPrefix(OracleRun.result) { return checkCommit() }
        let (events, fault) = takeEvents()
        if let fault { return fault }
        if hub.tree.revision != oracle.revision { return "the revision is \(hub.tree.revision)" }
        if !events.isEmpty { return "refused, but sent: \(events)" }
        if let before, before != (roots, TreeCounts(hub.tree)) { return "not undone: \(before)" }
        return nil
    }

    /// Sends a request that the tree refuses if it makes it larger. The refusal must have no effect.
    ///
    /// - Returns: the answer to any other request.
    private func tryWithoutRoom(_ request: String, _ actor: FakeClient) -> (answer: String?, fault: String?) {
        let before = freedState()
        hub.tree.records.limits.maxTreeBytes = 1
        let answer = actor.ask(request).joined(separator: "\n")
        hub.tree.records.limits.maxTreeBytes = TreeLimits().maxTreeBytes
        guard answer.contains("maxTreeBytes") else { return (answer, nil) }
        growthCount += 1
        for (before, after) in zip(before, freedState()) where before != after {
            return (nil, "refused, but not undone: from \(before) to \(after) by \(request)")
        }
        let events = watcher.take()
        if !events.isEmpty { return (nil, "refused, but sent: \(events)") }
        let faults = growthCount % 10 == 0 ? hub.tree.faults() : []
        return (nil, faults.isEmpty ? nil : "refused: \(faults)")
    }

    /// What a refused commit leaves as it was, once all that earlier ones released is freed: any commit may do that.
    func freedState() -> [String] {
        hub.tree.free(atMost: .max)
        return [
            roots, "\(TreeCounts(hub.tree))", "\(hub.tree.usedBytes) bytes", "revision \(hub.tree.revision)",
            "failing \(failing)",
        ]
    }

    /// The outcome of a commit, and its events.
    func checkCommit() -> String? {
        let (events, fault) = takeEvents()
        if let fault { return fault }
        if hub.tree.revision != oracle.revision { return "the revision is \(hub.tree.revision)" }
        if hub.tree.modelCount != oracle.modelCount {
            return "models: expected \(oracle.modelCount), found \(hub.tree.modelCount)"
        }
        if let fault = compareBindings() { return fault }
        for subscription in subscriptions {
            if let fault = subscription.check(events[subscription.number] ?? [], in: oracle) {
                return "\(subscription.text): \(fault)"
            }
            matchCount += subscription.matches.count
        }
        return nil
    }

    /// Makes a random commit and executes it on the oracle. Returns the expected answer.
    private func makeRequest(_ count: Int, isTransaction: Bool) -> (request: String, answer: String) {
        writes.watched = watched
        var operations: [String] = []
        var outcomes: [RefOutcome] = []
        oracle.begin()
        while true {
            let operation = distinctEnd(writes.operation(in: oracle))
            do {
                outcomes.append(try oracle.execute(operation))
                operations.append(operation.json(asArray: writes.chance(15)))
                writeCounts[operation.write.method, default: 0] += 1
                if operations.count < count { continue }
                break
            } catch {
                // Omits most refused operations, or few transactions would succeed.
                if writes.chance(isTransaction ? 85 : 55) { continue }
                operations.append(operation.json(asArray: writes.chance(15)))
                let refusal = refusal(error, operation: isTransaction ? outcomes.count : nil)
                oracle.rollBack()
                if isTransaction { undoneCount += 1 }
                return (request(operations, isTransaction), refusal)
            }
        }
        let changed = oracle.end()
        if isTransaction { transactionCount += 1 }
        let results = outcomes.map { outcome in
            let value = outcome.value.map { ",\"value\":\($0.json)" } ?? ""
            return "{\"revision\":\(oracle.revision),\"changed\":\(outcome.changed)\(value)}"
        }
        guard isTransaction else { return (request(operations, false), OracleRun.result + results[0] + "}") }
        let all = results.joined(separator: ",")
        return (
            request(operations, true),
            OracleRun.result
                + "{\"revision\":\(oracle.revision),\"changed\":\(changed),\"results\":[\(all)]}}"
        )
    }

    var watched: [[String]] { subscriptions.flatMap(\.someNames) }

    private static let result = #"{"jsonrpc":"2.0","id":1,"result":"#

    private func request(_ operations: [String], _ isTransaction: Bool) -> String {
        guard isTransaction else { return #"{"id":1,"# + operations[0].dropFirst() }
        let all = operations.joined(separator: ",")
        return #"{"id":1,"method":"transaction","params":{"operations":[\#(all)]}}"#
    }

    /// A refusal's code and `data`, as text.
    private func refusal(_ error: any Error, operation: Int?) -> String {
        guard let error = error as? RefError else { return "\(error)" }
        let (code, name) = error.code
        refusals[code, default: 0] += 1
        var members: [String] = []
        if let name { members.append(#""name":"\#(name)""#) }
        if let path = error.path { members.append(#""path":\#(quoted(path))"#) }
        if let operation { members.append(#""operation":\#(operation)"#) }
        if let found = error.found { members.append(found) }
        if let declared = error.declared { members.append(#""declared":\#(quoted(declared))"#) }
        return "\(code) {\(members.joined(separator: ","))}"
    }

    private func isExpected(_ answer: String, refusal: String) -> Bool {
        guard let error = (try? Value(json: answer))?["error"], let code = error["code"]?.int,
            var data = error["data"]?.object
        else { return false }
        // Other tests check the found value and the suggested name.
        if data["declared"] != nil { data["found"] = nil }
        data["nearest"] = nil
        return "\(code) \(Value.object(data).json)" == refusal && error["message"]?.string?.isEmpty == false
    }

    // MARK: Events

    /// The new events, by subscription.
    private func takeEvents() -> (events: [Int32: [TreeEvent]], fault: String?) {
        var events: [Int32: [TreeEvent]] = [:]
        var prior: TreeEvent?
        var hasMore: [Int32: Bool] = [:]
        let wanting = Set(subscriptions.filter(\.options.wantsPrior).map(\.number))
        for line in watcher.take() {
            guard let message = try? Value(json: line), let params = message["params"],
                message["method"] == "change", var event = TreeEvent(params)
            else { return ([:], "no event: \(line)") }
            if hasMore[event.watcher] == false { return ([:], "an event without more precedes \(line)") }
            let wantsPrior = wanting.contains(event.watcher)
            hasMore[event.watcher] = params["more"] == true
            if params["prior"] == true {
                if !wantsPrior || prior != nil { return ([:], "an unwanted prior line: \(line)") }
                if params["new"] != nil || params["nilAt"] != nil { return ([:], "prior: \(line)") }
                prior = event
                continue
            }
            if let before = prior {
                guard before.isPrior(of: event) else { return ([:], "\(event) behind \(before)") }
                event.old = before.old
                prior = nil
            } else if wantsPrior {
                return ([:], "no prior line before \(line)")
            }
            if event.revision != oracle.revision { return ([:], "the revision of \(line)") }
            events[event.watcher, default: []].append(event)
            eventCounts[event.kind.map { "\($0)" } ?? "\(event.reason)", default: 0] += 1
        }
        if hasMore.values.contains(true) { return ([:], "nothing follows an event with more") }
        return (events, prior.map { "\($0) without its change" })
    }

    // MARK: Comparing

    private var roots: String {
        let text = ByteBuffer()
        return hub.tree.render(.model(hub.tree.records.root), to: text) ? text.string : "truncated"
    }

    private func compareWhole() -> String? {
        let (expected, found) = (RefValue.model(oracle.root).json, roots)
        if found != expected { return "roots: expected \(expected), found \(found)" }
        log.append("now \(found)")
        let faults = hub.tree.faults() + hub.tree.patternFaults()
        if !faults.isEmpty { return "faults: \(faults)" }
        for subscription in subscriptions {
            if let fault = subscription.compareMirrors(oracle) { return fault }
            for (path, match) in subscription.matches where !oracle.rulesOut(match) {
                let line = client.ask(#"{"id":1,"method":"get","params":{"path":\#(quoted(path))}}"#)[0]
                let result = (try? Value(json: line))?["result"]
                let found = [path, result?["value"]?.json ?? line, result?["nilAt"]?.string ?? ""]
                if !subscription.isReading(found, of: path, oracle) {
                    return "get: expected \(subscription.reading(path, oracle)), found \(found)"
                }
            }
        }
        return nil
    }

    /// Removes everything, and checks that the hub holds nothing.
    private func finish() -> String? {
        if let difference = compareWhole() { return difference }
        for root in RandomWrites.roots where writes.chance(50) { remove(root) }
        watcher.close()
        for binding in oracle.bindings {
            _ = client.ask(#"{"id":1,"method":"unbind","params":{"binding":\#(binding.number)}}"#)
        }
        for root in RandomWrites.roots + writes.targetRoots { remove(root) }
        for client in actors + [client] { client.close() }
        if !hub.tree.stacks.byProperty.isEmpty { return "temporary values are left" }
        let faults = hub.tree.faults() + hub.tree.patternFaults()
        if !faults.isEmpty { return "at the end: \(faults)" }
        hub.tree.forgetHistory()
        var left = hub.tree.patternLeftovers
        if left["names"] == hub.tree.declaredNames.count { left["names"] = nil }
        if !left.isEmpty { return "left at the end: \(left)" }
        if hub.tree.dependents.records.count + hub.tree.dependents.edges.count > 0 {
            return "readers are left at the end"
        }
        return hub.clientRecords == Hub.noClientRecords ? nil : "held at the end: \(hub.clientRecords)"
    }

    private func remove(_ root: String) {
        _ = client.ask(#"{"id":1,"method":"remove","params":{"path":\#(quoted(dotted([root])))}}"#)
    }
}

extension RefError {
    fileprivate var code: (Int64, String?) {
        switch kind {
        case .notFound: (1, "notFound")
        case .typeMismatch: (2, "typeMismatch")
        case .readOnly: (3, "readOnly")
        case .conflict: (4, "conflict")
        case .limitExceeded: (6, "limitExceeded")
        case .referenceCycle: (7, "referenceCycle")
        case .invalidValue: (-32602, nil)
        }
    }
}
