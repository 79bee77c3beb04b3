// SPDX-License-Identifier: MIT
// A naive daemon in memory, written from the text of the protocol: conditions, commits, frames, `own: false`, `since`.
// Independent of the real one.

@testable import ObserveCore
@testable import observectl

/// A tree with one client, the bridge. Users write to it directly.
struct SimulatedDaemon {
    enum Request {
        case position
        case subscribe(epoch: String, revision: Int64)
        case load([[String]])
        case transaction(BridgeTransaction)
        case read([String])
    }

    enum Output {
        case position(BridgePosition?)
        case subscribed(epoch: String, revision: Int64, isResumed: Bool)
        case loaded([([String], Value)], revision: Int64)
        case frame([(names: [String], value: Value, revision: Int64, author: Int64)])
        case answer(Result<Int64, DaemonError>)
        case read([String], Value, revision: Int64)
    }

    private struct Commit {
        let revision: Int64
        let author: Int64
        let events: [(names: [String], value: Value)]
    }

    /// The observed paths.
    let paths: [[String]]
    private(set) var tree = Value.object(ValueMembers())
    private var position: BridgePosition?
    private(set) var epoch = "first"
    private var revision: Int64 = 0
    private var history: [Commit] = []
    private var changes: [(revision: Int64, names: [String])] = []
    /// The connection's output; nil without a connection.
    var output: [Output]?
    private var isSubscribed = false
    private var client: Int64 = 0
    /// How many transactions were refused for what they wrote themselves.
    private(set) var ownConflicts = 0
    /// Properties that take no value from a bridge.
    var refused: Set<[String]> = []

    init(_ paths: [[String]]) { self.paths = paths }

    mutating func connect(_ pid: Int64) { (output, isSubscribed, client) = ([], false, pid) }
    mutating func disconnect() { output = nil }

    /// Starts again: with its tree, or with an empty one and another history.
    mutating func restart(keepsState: Bool) {
        disconnect()
        guard !keepsState else { return }
        tree = .object(ValueMembers())
        (position, revision, history, changes) = (nil, 0, [], [])
        epoch += "'"
    }

    func value(_ names: [String]) -> Value { names.reduce(tree) { $0[$1] ?? .null } }

    /// A user's write: one commit.
    mutating func write(_ writes: [(names: [String], value: Value?)]) {
        var fresh = tree
        var events: [[String]] = []
        for (names, value) in writes { if let event = fresh.assign(names, value) { events.append(event) } }
        commit(fresh, events, author: 0)
    }

    private mutating func commit(_ fresh: Value, _ paths: [[String]], author: Int64, isForced: Bool = false) {
        guard !paths.isEmpty || isForced else { return }
        tree = fresh
        revision += 1
        changes += paths.map { (revision, $0) }
        let events = paths.flatMap(observed).map { (names: $0, value: value($0)) }
        history.append(Commit(revision: revision, author: author, events: events))
        if history.count > 20 { history.removeFirst() }
        guard author != client || client == 0, isSubscribed, output != nil, !events.isEmpty else { return }
        output?.append(.frame(events.map { ($0.names, $0.value, revision, author) }))
    }

    /// The paths of an assignment's events: it, or the observed paths below it.
    private func observed(_ names: [String]) -> [[String]] {
        if paths.contains(where: { names.starts(with: $0) }) { return [names] }
        return paths.filter { $0.starts(with: names) }
    }

    // MARK: Requests

    private mutating func respond(_ answer: Output) { output?.append(answer) }

    mutating func execute(_ request: Request) {
        switch request {
        case .position: output?.append(.position(position))
        case .read(let names): respond(.read(names, value(names), revision: revision))
        case .load(let paths): respond(.loaded(paths.map { ($0, value($0)) }, revision: revision))
        case .subscribe(let since, let last):
            let first = history.first?.revision ?? revision + 1
            let isResumed = since == epoch && last <= revision && last >= first - 1
            isSubscribed = true
            output?.append(.subscribed(epoch: epoch, revision: revision, isResumed: isResumed))
            guard isResumed else { return }
            let missed = history.filter { $0.revision > last }
            let events = missed.flatMap { commit in
                commit.events.map {
                    ($0.names, $0.value, commit.revision, commit.author)
                }
            }
            if !events.isEmpty { output?.append(.frame(events)) }
        case .transaction(let transaction): respond(.answer(execute(transaction)))
        }
    }

    private mutating func execute(_ transaction: BridgeTransaction) -> Result<Int64, DaemonError> {
        var fresh = tree
        var events: [[String]] = []
        for (index, write) in transaction.writes.enumerated() {
            let names = write.target.path
            let found = names.reduce(fresh) { $0[$1] ?? .null }
            func refusal(_ code: Int, _ found: Value?) -> Result<Int64, DaemonError> {
                var data = ValueMembers([("operation", .int(Int64(index)))])
                data["value"] = found
                if found != nil { data["revision"] = .int(revision) }
                let code = WireError.Code(rawValue: code)
                return .failure(DaemonError(code: code, message: "refused", data: RawJSON(.object(data))))
            }
            if refused.contains(names) { return refusal(2, nil) }
            if let expected = write.expected {
                guard (try? expected.value()) == found else { return refusal(4, found) }
            } else {
                let isChanged = changes.contains {
                    $0.revision > transaction.revision
                        && ($0.names.starts(with: names) || names.starts(with: $0.names))
                }
                let isTouched = events.contains { $0.starts(with: names) || names.starts(with: $0) }
                if isTouched, !isChanged { ownConflicts += 1 }
                if isChanged || isTouched { return refusal(4, found) }
            }
            let value = write.value.flatMap { try? $0.value() }
            if value != nil, names.indices.contains(where: { fresh.hasScalar(at: names[..<$0]) }) {
                return refusal(2, nil)
            }
            if let event = fresh.assign(names, value) { events.append(event) }
        }
        position = transaction.position
        commit(fresh, events, author: client, isForced: true)
        return .success(revision)
    }
}

extension Value {
    /// Whether something that is not a model is there.
    func hasScalar(at names: ArraySlice<String>) -> Bool {
        let value = names.reduce(self) { $0[$1] ?? .null }
        return !value.isNull && value.object == nil
    }

    /// Assigns or removes, and makes the models on the way.
    ///
    /// - Returns: the path that was assigned: of the first model that was made, if one was; nil if nothing changed.
    mutating func assign(_ names: [String], _ value: Value?) -> [String]? {
        let found = names.reduce(self) { $0[$1] ?? .null }
        // Setting an object makes a new model.
        guard found != (value ?? .null) || value?.object != nil else { return nil }
        if value == nil, found.isNull { return nil }
        var depth = names.count
        while depth > 1, names[..<(depth - 1)].reduce(self, { $0[$1] ?? .null }).object == nil { depth -= 1 }
        put(names[...], value)
        return Array(names[..<depth])
    }

    private mutating func put(_ names: ArraySlice<String>, _ value: Value?) {
        var members = object ?? ValueMembers()
        guard let name = names.first else { return }
        if names.count == 1 {
            members[name] = value
        } else {
            var child = members[name] ?? .null
            child.put(names.dropFirst(), value)
            members[name] = child
        }
        self = .object(members)
    }

    /// The leaves below, by key.
    func leaves(_ names: [String] = []) -> [String: String] {
        guard let members = object else {
            return isNull ? [:] : [BridgeKey.key(of: names): RawJSON(self).text]
        }
        let present = members.filter { !$0.value.isNull }
        if present.isEmpty { return [BridgeKey.key(of: names): "{}"] }
        return present.reduce(into: [:]) { leaves, member in
            leaves.merge(member.value.leaves(names + [member.name])) { $1 }
        }
    }
}
