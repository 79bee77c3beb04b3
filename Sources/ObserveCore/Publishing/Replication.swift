// SPDX-License-Identifier: MIT
// Keeps a root of a local tree equal to a path of a daemon, whichever of them leads. Independent of Swift models and sockets.

/// Copies changes both ways between a local root and a path of the daemon. All paths in here are local ones, until they are sent.
///
/// Of a *publication*, the program's values win when a connection begins, and its model appears in the daemon for as long as
/// that lasts. Of a *mirror*, the daemon's values win, and each of its frames is one change here.
///
/// The daemon's order decides: see docs/internals/observation.md. A local change is sent at once.
///
/// If the daemon refuses a local change, the replication restores the daemon's value here. If the local tree
/// refuses a daemon's change, a publication restores the local value there, and a mirror keeps its former value.
/// What neither side can have as the other has it is a *problem* of its path: a restored value that the daemon refuses, one
/// that a mirror can't hold, or one that is too large for an answer. The next change of the path tries again.
final class Replication {
    private let root: String
    /// The path of the root in the daemon.
    private let remoteRoot: String
    private let isMirror: Bool
    /// Whether a mirror's path is a pattern, which it refuses to follow.
    private let isPattern: Bool
    /// Removes the members of a value that the Swift classes do not have. It gets the value's path below the root.
    private let fitting: Fitting
    private let local: LocalSession
    private let didChange: () -> Void
    private let channel: ClientChannel
    /// How many unanswered writes each path has. The paths alone are searched: a program may assign one very often.
    private var unanswered: [String: Int] = [:]
    /// The paths to read again, once no unanswered write overlaps them.
    private var doubtful: Set<String> = []
    /// The doubtful paths that were requested again.
    private var reading: Set<String> = []
    /// Counts connections: answers of an earlier one are ignored.
    private var connection = 0
    private(set) var isConnected = false

    /// Whether a change of the daemon is being applied to the local tree.
    private var isApplying = false
    /// The events of a frame that is not complete. Mirrors only.
    private var frame: [ChangeEvent] = []
    /// What a mirror found at its path, `behind` before that. `current` is a model, `failing` says why it can't follow the path.
    private(set) var mirrored = MirrorState.behind
    private var problems = ReplicationProblems()

    typealias Fitting = (_ value: Value, _ path: Substring) -> Value

    /// - Parameters:
    ///   - name: The local root's name.
    ///   - remoteRoot: Its path in the daemon. A publication has a root's name instead.
    ///   - didChange: Called when one of the properties that describe the state may have changed.
    init(
        _ name: String,
        _ remoteRoot: String,
        isMirror: Bool,
        _ fitting: @escaping Fitting,
        _ local: LocalSession,
        _ channel: ClientChannel,
        didChange: @escaping () -> Void
    ) {
        root = DottedKeyPath.text(of: [name])
        self.remoteRoot = isMirror ? DottedKeyPath.canonical(remoteRoot) : root
        self.isMirror = isMirror
        let components = try? DottedKeyPath.components(of: self.remoteRoot, maxDepth: .max)
        isPattern = isMirror && components?.contains(where: \.isWildcard) == true
        self.fitting = fitting
        self.local = local
        self.channel = channel
        self.didChange = didChange
    }

    /// Begins to follow the local root, which exists.
    func start() {
        _ = local.call("subscribe", ["path": RawJSON(.string(root + ".**")), "initial": RawJSON(false)])
    }

    /// A value that one side does not have, and why.
    var problem: String? { problems.first.map { "\(remote($0.path)): \($0.message)" } }

    private func remote(_ path: String) -> String { remoteRoot + path.dropFirst(root.count) }

    /// Whether both sides are equal: no answer is pending, and no value has a problem.
    var isSynchronized: Bool {
        isConnected && unanswered.isEmpty && doubtful.isEmpty && reading.isEmpty && frame.isEmpty
            && problems.isEmpty
    }

    // MARK: Connections

    /// Starts a connection: the local root appears in the daemon for as long as the connection lasts.
    func begin() {
        connection += 1
        isConnected = true
        unanswered = [:]
        doubtful = []
        reading = []
        frame = []
        problems = ReplicationProblems()
        mirrored = .behind
        _ = local.drainEvents()
        if isPattern {
            let rule = "a mirror follows one path; a name that is a star is written \\*"
            mirrored = .failing("\(remoteRoot) is a pattern: \(rule)")
            return didChange()
        }
        let path = RawJSON(.string(remoteRoot + ".**"))
        let params: RequestParams = [
            "path": path, "initial": RawJSON(.bool(isMirror)), "own": RawJSON(false),
        ]
        request("subscribe", params) { [unowned self] result in
            if isMirror, case .failure(let error) = result { mirrored = .failing(error.description) }
        }
        if !isMirror { restore(root) }
    }

    func end() {
        isConnected = false
        didChange()
    }

    // MARK: Local changes

    func sendChanges() {
        if !isApplying { send(local.drainEvents()) }
        if !unanswered.isEmpty || !problems.isEmpty { didChange() }
    }

    private func send(_ events: [ChangeEvent]) {
        guard isConnected, !isPattern else { return }
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
        var operations: [WriteOperation] = []
        var restored: Set<String> = []
        for event in events {
            guard let path = event.params.string("path"), event.reason != .sourceDeleted else { continue }
            if let whole = event.isTruncated ? path : isMirror ? nil : problems.path(leadingTo: path) {
                // The daemon has another value, or none: a part of the local one does not help.
                if restored.insert(whole).inserted { restore(whole) }
                continue
            }
            paths.append(path)
            operations += writes(of: event, path, at: remote(path))
        }
        if operations.count == 1 {
            write(paths, operations[0].method.rawValue, operations[0].params)
        } else if !operations.isEmpty {
            write(paths, "transaction", ["operations": RawJSON(array: operations.map(\.json))])
        }
    }

    /// The writes that make the event's change at `path`.
    private func writes(of event: ChangeEvent, _ local: String, at path: String) -> [WriteOperation] {
        let (indexes, elements) = (event.indexes, event.new?.elements ?? [])
        switch event.params.string("kind") {
        case "insertion":
            return zip(indexes, elements).map { index, element in
                WriteOperation(.insert, path, ["index": RawJSON(index.modelValue), "value": element])
            }
        case "removal": return indexes.sorted(by: >).map { WriteOperation(.remove, "\(path).\($0)") }
        case "replacement":
            return zip(indexes, elements).map { index, element in
                WriteOperation(.set, "\(path).\(index)", ["value": element])
            }
        default:
            guard let new = event.new ?? localValue(local) else { return [] }
            return [WriteOperation(.set, path, ["value": new])]
        }
    }

    /// Sends the whole local value of a path, which the daemon does not have. If it refuses that, both sides keep their own.
    private func restore(_ path: String) {
        guard let value = localValue(path) else { return }
        let lifetime: RawJSON? = path == root ? "connection" : nil
        let operation = WriteOperation(.set, remote(path), ["value": value, "lifetime": lifetime])
        write([path], operation.method.rawValue, operation.params, restores: true)
    }

    private func write(_ paths: [String], _ method: String, _ params: RequestParams, restores: Bool = false) {
        for path in paths { unanswered[path, default: 0] += 1 }
        request(method, params) { [unowned self] result in
            for path in paths {
                let others = unanswered[path, default: 1] - 1
                unanswered[path] = others > 0 ? others : nil
            }
            switch result {
            case .success:
                // The daemon may have what it lacked, so its value is read again.
                for path in paths { doubtful.formUnion(problems.paths(overlapping: path)) }
            case .failure(.refused(let error)) where restores:
                for path in paths { note(error, at: path) }
            case .failure: doubtful.formUnion(paths)
            }
            readDoubtful()
        }
    }

    /// Sends a request. If the connection is lost before the answer, `reply` is never called.
    private func request(_ method: String, _ params: RequestParams, _ reply: @escaping ClientChannel.Reply) {
        let connection = connection
        channel.send(method, params) { [weak self] result in
            guard let self, self.connection == connection, isConnected else { return }
            switch result {
            case .success, .failure(.refused):
                reply(result)
                didChange()
            // The connection is lost; the next one begins with all values.
            case .failure: break
            }
        }
    }

    // MARK: The daemon's changes

    /// Receives an event of the daemon. A mirror applies a frame at once: its observers never see half a commit.
    func receive(_ event: ChangeEvent) {
        guard isConnected else { return }
        defer { didChange() }
        guard isMirror else { return apply(event) }
        frame.append(event)
        guard event.isLast else { return }
        let events = frame
        frame = []
        transaction { for event in events { apply(event) } }
    }

    private func apply(_ event: ChangeEvent) {
        guard let remotePath = event.params.string("path"), remotePath.hasPrefix(remoteRoot) else { return }
        let path = root + remotePath.dropFirst(remoteRoot.count)
        if event.reason == .sourceDeleted {
            problems.remove(below: root)
            if isMirror { mirrored = .absent } else { restore(root) }
            return
        }
        let overlapping = unanswered.keys.filter { ReplicatedPath.overlap($0, path) }
        if !overlapping.isEmpty {
            // An unanswered write to an array may move the elements that the path leads through.
            doubtful.insert(ReplicatedPath.outermost(of: overlapping, leadingTo: path) ?? path)
            return
        }
        // A read that is pending, or that waits for the answer to a write, returns a newer value.
        if reading.contains(where: { ReplicatedPath.isPrefix($0, of: path) }) { return }
        if doubtful.contains(where: { ReplicatedPath.isPrefix($0, of: path) }) { return }
        let inner = reading.filter { ReplicatedPath.isPrefix(path, of: $0) }
        if !inner.isEmpty {
            reading.subtract(inner)
            doubtful.insert(path)
            return readDoubtful()
        }
        apply(event, path)
    }

    private func apply(_ event: ChangeEvent, _ path: String) {
        let isEdit = event.params.member("kind") != nil
        let outer = problems.path(leadingTo: path) ?? path
        if event.isTruncated || outer != path || isEdit && !problems.paths(overlapping: path).isEmpty {
            // The event has not all that the local value lacks.
            doubtful.insert(outer)
            return readDoubtful()
        }
        guard path != root, let new = event.new else { return reconcileAnew(path, event.new) }
        problems.remove(below: path)
        if isMirror, !isEdit {
            // Part of the value may belong to properties that the Swift classes do not have.
            return reconcileAnew(path, new)
        }
        for write in writes(of: event, path, at: path) {
            guard case .failure(let error) = apply(write, path, isEdit ? nil : new) else { continue }
            // The Swift model does not have this property.
            if error.code == .notFound, !isEdit { continue }
            doubtful.insert(path)
            return readDoubtful()
        }
    }

    /// Executes a write here, and sends its consequences, except the daemon's own change. Of a value with members that the
    /// Swift classes do not have, it writes the others. Then the daemon gets the whole.
    ///
    /// - Parameter value: The path's value in the daemon; nil for an edit of an array.
    private func apply(
        _ operation: WriteOperation,
        _ path: String,
        _ value: RawJSON?
    ) -> Result<RawJSON, DaemonError> {
        let wanted = try? value?.value()
        isApplying = true
        var result = local.call(operation.method.rawValue, operation.params)
        if case .failure(let error) = result, error.code == .notFound,
            let part = wanted.flatMap({ fittingPart($0, path) })
        {
            result = local.call("set", ["path": RawJSON(.string(path)), "value": RawJSON(part)])
        }
        isApplying = false
        let revision = (try? result.get())?.int("revision")
        let events = local.drainEvents()
        send(
            events.filter { event in
                guard event.params.string("path") == path else { return true }
                if isMirror { return false }
                if value == nil { return event.params.int("revision") != revision && events.count > 1 }
                return (try? event.new?.value()) != wanted
            }
        )
        return result
    }

    /// The part of a value that the Swift classes can hold; nil if it is the whole value.
    private func fittingPart(_ whole: Value, _ path: String) -> Value? {
        let part = fitting(whole, path.dropFirst(root.count))
        return part == whole ? nil : part
    }

    // MARK: Doubtful paths

    /// Reads the doubtful paths that no unanswered write overlaps.
    private func readDoubtful() {
        for path in doubtful.sorted() where !isUnanswered(path) {
            guard doubtful.remove(path) != nil else { continue }
            // The value includes the paths below.
            doubtful = doubtful.filter { !ReplicatedPath.isPrefix(path, of: $0) }
            reading.insert(path)
            request("get", ["path": RawJSON(.string(remote(path)))]) { [unowned self] result in
                guard reading.remove(path) != nil else { return }
                switch result {
                case _ where isUnanswered(path): doubtful.insert(path)
                case .success(let answer): reconcileAnew(path, answer.member("value"))
                case .failure(.refused(let error)): note(error, at: path)
                case .failure: break
                }
            }
        }
    }

    /// Whether an unanswered write overlaps the path.
    private func isUnanswered(_ path: String) -> Bool {
        unanswered.keys.contains { ReplicatedPath.overlap($0, path) }
    }

    private func reconcileAnew(_ path: String, _ value: RawJSON?) {
        guard let value, let there = try? value.value() else { return }
        problems.remove(below: path)
        if path == root, there.object == nil {
            if isMirror { mirrored = .absent } else { restore(root) }
            return
        }
        if path == root, isMirror { mirrored = .current }
        guard !isMirror || mirrored == .current, let here = try? localValue(path)?.value() else { return }
        reconcile(path, here, isMirror ? fitting(there, path.dropFirst(root.count)) : there)
    }

    /// Assigns the daemon's value here. If the local tree refuses it, sends the local value to the daemon.
    private func reconcile(_ path: String, _ here: Value, _ there: Value) {
        if here == there { return }
        if case .object(let mine) = here, case .object(let theirs) = there {
            for (name, value) in mine {
                let below = path + "." + DottedKeyPath.text(of: [name])
                if let other = theirs[name] {
                    reconcile(below, value, other)
                } else if !isMirror {
                    restore(below)
                }
            }
            return
        }
        let value = RawJSON(there)
        guard case .failure(let error) = apply(WriteOperation(.set, path, ["value": value]), path, value),
            error.code != .notFound
        else { return }
        if isMirror { note(error, at: path) } else { restore(path) }
    }

    /// The local value; nil if it is too large, which is a problem then.
    private func localValue(_ path: String) -> RawJSON? {
        switch local.call("get", ["path": RawJSON(.string(path))]) {
        case .success(let answer): return answer.member("value")
        case .failure(let error):
            note(error, at: path)
            return nil
        }
    }

    private func note(_ error: DaemonError, at path: String) {
        problems.note(error, at: path, named: remote(path))
    }
}
