// SPDX-License-Identifier: MIT
// Keeps a root of a tree here and the same root in a daemon equal. Knows nothing of Swift models or sockets.

/// What goes to the daemon.
protocol ReplicationTarget: AnyObject {
    /// Sends a request; the answer comes later, or not at all if the connection is lost before.
    func send(
        _ method: String,
        _ params: [(name: String, value: RawJSON)],
        _ reply: @escaping (Result<RawJSON, DaemonError>) -> Void
    )
}

/// Carries changes both ways between a root here and the root of that name in a daemon.
///
/// The daemon's order is the truth. A change here is sent at once; until it is answered, its path is *under way*, and what
/// the daemon tells about that path is older than our write, or not to be told apart from what is: such paths are
/// *doubtful*. Once nothing is under way there, a doubtful path is read anew. An answer is a barrier, so what is told after
/// it is newer than our write, and is carried out here as it comes.
///
/// What the daemon refuses is taken back here, and what can't be had here is taken back there.
final class Replication {
    private let root: String
    private let local: LocalSession
    private unowned let target: any ReplicationTarget
    /// The paths of each write that has not been answered.
    private var underWay: [Int: [String]] = [:]
    private var lastWrite = 0
    private var doubtful: Set<String> = []
    /// The paths that are being read anew.
    private var reading: Set<String> = []
    /// Counts connections: answers of an earlier one are nobody's.
    private var connection = 0
    private(set) var isConnected = false

    /// A change of the daemon's is being carried out here.
    private var isApplying = false

    /// - Parameter root: The root's name.
    init(_ root: String, _ local: LocalSession, to target: any ReplicationTarget) {
        self.root = Self.escaped(root)
        self.local = local
        self.target = target
        _ = local.call(
            "subscribe",
            [("path", RawJSON(.string(self.root + ".**"))), ("initial", RawJSON(false))]
        )
    }

    /// Nothing waits for an answer: both sides are equal.
    var isSettled: Bool { isConnected && underWay.isEmpty && doubtful.isEmpty && reading.isEmpty }

    // MARK: Connections

    /// A connection begins: what is here appears there, for as long as the connection lasts.
    func begin() {
        connection += 1
        isConnected = true
        underWay = [:]
        doubtful = []
        reading = []
        _ = local.takeEvents()
        let path = RawJSON(.string(root + ".**"))
        request("subscribe", [("path", path), ("initial", RawJSON(false)), ("own", RawJSON(false))]) { _ in }
        publishRoot()
    }

    func end() { isConnected = false }

    private func publishRoot() {
        guard let value = localValue(root) else { return }
        write(
            [root],
            "set",
            [
                ("path", RawJSON(.string(root))), ("value", value), ("lifetime", RawJSON("connection")),
            ]
        )
    }

    // MARK: From here

    /// Sends what has changed here since the last time.
    func sendChanges() {
        if !isApplying { send(local.takeEvents()) }
    }

    private func send(_ events: [ChangeEvent]) {
        guard isConnected else { return }
        var start = 0
        while start < events.count {
            let revision = events[start].params.int("revision")
            var end = start + 1
            while end < events.count, events[end].params.int("revision") == revision { end += 1 }
            sendCommit(events[start..<end])
            start = end
        }
    }

    private func sendCommit(_ events: ArraySlice<ChangeEvent>) {
        var paths: [String] = []
        var operations: [(method: String, params: [(name: String, value: RawJSON)])] = []
        for event in events {
            guard let path = event.params.string("path"), event.reason != .sourceDeleted else { continue }
            paths.append(path)
            operations += writes(of: event, path)
        }
        if operations.count == 1 {
            write(paths, operations[0].method, operations[0].params)
        } else if !operations.isEmpty {
            write(paths, "transaction", [("operations", RawJSON(array: operations.map(operation)))])
        }
    }

    private func operation(_ write: (method: String, params: [(name: String, value: RawJSON)])) -> RawJSON {
        RawJSON(object: [
            ("method", RawJSON(.string(write.method))), ("params", RawJSON(object: write.params)),
        ])
    }

    /// The writes that do what the event tells of.
    private func writes(of event: ChangeEvent, _ path: String) -> [(
        method: String, params: [(name: String, value: RawJSON)]
    )] {
        let indexes = (event.params.member("indexes")?.elements ?? []).compactMap { (try? $0.value())?.int }
        let elements = event.new?.elements ?? []
        switch event.params.string("kind") {
        case "insertion":
            return zip(indexes, elements).map { index, element in
                (
                    "insert",
                    [("path", RawJSON(.string(path))), ("index", RawJSON(.int(index))), ("value", element)]
                )
            }
        case "removal":
            return indexes.sorted(by: >).map { ("remove", [("path", RawJSON(.string("\(path).\($0)")))]) }
        case "replacement":
            return zip(indexes, elements).map { index, element in
                ("set", [("path", RawJSON(.string("\(path).\(index)"))), ("value", element)])
            }
        default:
            guard let new = event.new ?? localValue(path) else { return [] }
            return [("set", [("path", RawJSON(.string(path))), ("value", new)])]
        }
    }

    /// Sends a write; its paths are under way until it is answered.
    private func write(_ paths: [String], _ method: String, _ params: [(name: String, value: RawJSON)]) {
        lastWrite += 1
        let number = lastWrite
        underWay[number] = paths
        request(method, params) { [unowned self] result in
            underWay[number] = nil
            if case .failure = result { doubtful.formUnion(paths) }
            readDoubtful()
        }
    }

    private func request(
        _ method: String,
        _ params: [(name: String, value: RawJSON)],
        _ reply: @escaping (Result<RawJSON, DaemonError>) -> Void
    ) {
        let connection = connection
        target.send(method, params) { [weak self] result in
            guard let self, self.connection == connection, isConnected else { return }
            reply(result)
        }
    }

    // MARK: From there

    /// Takes what the daemon tells.
    func receive(_ event: ChangeEvent) {
        guard isConnected, let path = event.params.string("path") else { return }
        if event.reason == .sourceDeleted { return publishRoot() }
        let overlapping = underWay.values.joined().filter { Self.overlap($0, path) }
        if !overlapping.isEmpty {
            // A write of ours to an array may move the elements that the path goes through.
            let outer = overlapping.filter { Self.isPrefix($0, of: path) }.min {
                $0.utf8.count < $1.utf8.count
            }
            doubtful.insert(outer ?? path)
            return
        }
        // What is being read will be newer.
        if reading.contains(where: { Self.isPrefix($0, of: path) }) { return }
        if doubtful.contains(where: { Self.isPrefix($0, of: path) }) { return }
        let inner = reading.filter { Self.isPrefix(path, of: $0) }
        if !inner.isEmpty {
            reading.subtract(inner)
            doubtful.insert(path)
            return readDoubtful()
        }
        carryOut(event, path)
    }

    private func carryOut(_ event: ChangeEvent, _ path: String) {
        guard path != root, let new = event.new else { return reconcileAnew(path, event.new) }
        let isEdit = event.params.member("kind") != nil
        for write in writes(of: event, path) {
            guard case .failure(let error) = apply(write.method, write.params, path, isEdit ? nil : new)
            else { continue }
            // A property that this side does not have.
            if error.code == .notFound, !isEdit { continue }
            return doubt(path)
        }
    }

    /// Carries out a write here, and sends what came of it beside what is known there.
    ///
    /// - Parameter value: What the path has there; nil for an edit of an array.
    private func apply(
        _ method: String,
        _ params: [(name: String, value: RawJSON)],
        _ path: String,
        _ value: RawJSON?
    ) -> Result<RawJSON, DaemonError> {
        isApplying = true
        let result = local.call(method, params)
        isApplying = false
        let revision = (try? result.get())?.int("revision")
        let wanted = try? value?.value()
        let told = local.takeEvents()
        send(
            told.filter { event in
                guard event.params.string("path") == path else { return true }
                if value == nil { return event.params.int("revision") != revision && told.count > 1 }
                return (try? event.new?.value()) != wanted
            }
        )
        return result
    }

    // MARK: Doubts

    private func doubt(_ path: String) {
        doubtful.insert(path)
        readDoubtful()
    }

    /// Reads doubtful paths where nothing is under way.
    private func readDoubtful() {
        for path in doubtful.sorted()
        where !underWay.values.joined().contains(where: { Self.overlap($0, path) }) {
            guard doubtful.remove(path) != nil else { continue }
            // What lies below comes with it.
            doubtful = doubtful.filter { !Self.isPrefix(path, of: $0) }
            reading.insert(path)
            request("get", [("path", RawJSON(.string(path)))]) { [unowned self] result in
                guard reading.remove(path) != nil else { return }
                if underWay.values.joined().contains(where: { Self.overlap($0, path) }) {
                    doubtful.insert(path)
                    return
                }
                if case .success(let answer) = result { reconcileAnew(path, answer.member("value")) }
            }
        }
    }

    private func reconcileAnew(_ path: String, _ value: RawJSON?) {
        guard let value, let remote = try? value.value() else { return }
        guard let known = localValue(path), let here = try? known.value() else { return }
        if path == root, remote.object == nil { return publishRoot() }
        reconcile(path, here, remote)
    }

    /// Makes what is here what is there; where that can't be, makes what is there what is here.
    private func reconcile(_ path: String, _ here: Value, _ there: Value) {
        if here == there { return }
        if case .object(let mine) = here, case .object(let theirs) = there {
            for (name, value) in mine {
                let below = path + "." + Self.escaped(name)
                if let other = theirs[name] {
                    reconcile(below, value, other)
                } else {
                    write([below], "set", [("path", RawJSON(.string(below))), ("value", RawJSON(value))])
                }
            }
            return
        }
        let name = RawJSON(.string(path))
        let value = RawJSON(there)
        guard case .failure(let error) = apply("set", [("path", name), ("value", value)], path, value),
            error.code != .notFound
        else { return }
        write([path], "set", [("path", name), ("value", RawJSON(here))])
    }

    private func localValue(_ path: String) -> RawJSON? {
        guard case .success(let answer) = local.call("get", [("path", RawJSON(.string(path)))]) else {
            return nil
        }
        return answer.member("value")
    }

    // MARK: Paths

    /// Whether one of the paths leads through the other.
    private static func overlap(_ one: String, _ other: String) -> Bool {
        isPrefix(one, of: other) || isPrefix(other, of: one)
    }

    /// Whether `path` leads through `outer`, or is the same.
    private static func isPrefix(_ outer: String, of path: String) -> Bool {
        let (short, long) = (outer.utf8, path.utf8)
        guard long.starts(with: short) else { return false }
        return long.count == short.count || long[long.index(long.startIndex, offsetBy: short.count)] == 0x2E
    }

    private static func escaped(_ name: String) -> String {
        let out = ByteBuffer()
        ByteView.with(name) { out.appendEscaped(name: $0) }
        return out.string
    }
}

extension RawJSON {
    /// An object of these.
    init(object members: [(name: String, value: RawJSON)]) {
        let buffer = ByteBuffer()
        for (index, member) in members.enumerated() {
            buffer.append(index == 0 ? "{" : ",")
            buffer.appendJSONString(utf8: member.name)
            buffer.append(":")
            buffer.append(contentsOf: member.value.bytes)
        }
        buffer.append(members.isEmpty ? "{}" : "}")
        self.init(unchecked: buffer.array)
    }
}
