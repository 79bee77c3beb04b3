// SPDX-License-Identifier: MIT
// A bridge's connection to its daemon: requests out, frames and answers in. Independent of the stream.

import ObserveCore

/// - Errors: ``receive()`` throws once the connection can't be used. The rules then plan again what was not answered.
final class DaemonLink {
    private enum Request {
        case claim, position, subscribe
        /// A value: for ``load(_:)``, or one that the rules have to read again.
        case get([String], loads: Bool)
        /// The members of a model that is too large to read at once.
        case describe([String], refused: String, loads: Bool)
        case transaction(count: Int)
        /// A status, or a ping: its answer says that all changes before it have come.
        case unchecked
    }

    /// The end of another bridge's connection may come that late: that of a bridge which was killed.
    private static let patienceMilliseconds: UInt64 = 2000
    private static let claimMilliseconds: UInt64 = 100

    /// A line that the daemon takes under its default limits.
    private static let lineLimitBytes = 1_000_000

    private let rules: BridgeRules
    private let bucket: String
    private let link: ByteLink
    private var session = ClientSession()
    private var requests: [Int64: Request] = [:]
    private var frame: [LocalEvent] = []
    private var loading = 0
    private var loadedRevision: Int64 = 0
    /// The last revision that a bridge before this one can have made; later ones with its process number are another's.
    private var formerRevision = Int64.max
    /// When to try again to own the bucket on this daemon, and until when; nil while a try is under way, or none is needed.
    private var nextClaim: MonotonicTime?
    private let lastClaim = MonotonicTime.now.adding(milliseconds: DaemonLink.patienceMilliseconds)

    init(_ rules: BridgeRules, bucket: String, owning socket: consuming FileDescriptor) {
        (self.rules, self.bucket) = (rules, bucket)
        link = ByteLink(owning: socket)
        claim()
    }

    /// Makes this the only bridge of the bucket on this daemon, until the connection ends.
    private func claim() {
        nextClaim = nil
        let params: RequestParams = [
            "path": RawJSON(.string("bridges.\(bucket).bridge")), "value": RawJSON(["pid": .int(rules.pid)]),
            "lifetime": "connection", "parents": true, "ifValue": .nothing,
        ]
        send(.claim, "set", params)
    }

    private func refusedClaim(_ error: DaemonError) throws(ClientError) {
        switch error.code {
        // The disk may be full for a while.
        case .unavailable: nextClaim = .now.adding(milliseconds: DaemonLink.patienceMilliseconds)
        case .conflict where lastClaim > .now:
            nextClaim = .now.adding(milliseconds: DaemonLink.claimMilliseconds)
        case .conflict:
            let pid = error.data?.member("value")?.int("pid").map { ", process \($0)" } ?? ""
            let message = "another bridge of the bucket '\(bucket)' runs on this daemon\(pid)"
            throw .refused(DaemonError(code: error.code, message: message))
        default: throw .refused(error)
        }
    }

    var interest: (descriptor: Int32, events: PollEvents) { link.interest }
    func flush() { link.flush() }
    /// Whether it waits for no answer.
    var isIdle: Bool { requests.isEmpty }

    private func send(_ request: Request, _ method: String, _ params: RequestParams) {
        let (id, line) = session.request(method, params)
        requests[id] = request
        link.send(line)
    }

    func ping() { send(.unchecked, "ping", [:]) }

    // MARK: Receiving

    func receive() throws(ClientError) {
        for message in session.receive(link.receive()) {
            switch message {
            case .change(let event): try receive(event)
            case .answer(let id, let result):
                if let request = requests.removeValue(forKey: id) { try answer(request, result) }
            case .refusal(let id, let error):
                // A line that the daemon could not read has no number: it was the oldest one.
                let key = id ?? requests.keys.min() ?? 0
                if let request = requests.removeValue(forKey: key) { try refusal(request, error) }
            case .goodbye(let reason, _): throw .goodbye(reason: reason)
            case .unknown: break
            }
        }
        if let failure = session.failure { throw failure }
    }

    private func receive(_ event: ChangeEvent) throws(ClientError) {
        let change = try event.read()
        if change.isTruncated {
            rules.local.unread.append(change.names)
        } else if event.reason != .initial {
            frame.append(
                LocalEvent(
                    names: change.names,
                    value: change.new,
                    revision: change.revision,
                    isOwn: isOwn(change.author, change.revision)
                )
            )
        }
        guard event.isLast else { return }
        rules.receive(frame)
        frame.removeAll(keepingCapacity: true)
    }

    private func isOwn(_ author: Int64?, _ revision: Int64) -> Bool {
        guard let author else { return false }
        return author == rules.pid || author == position?.pid && revision <= formerRevision
    }

    private func answer(_ request: Request, _ result: RawJSON) throws(ClientError) {
        let revision = result.int("revision") ?? 0
        switch request {
        case .claim: send(.position, "get", ["path": RawJSON(.string("bridges.\(bucket)"))])
        case .position:
            subscribe(result.member("value").flatMap { try? $0.value() }.flatMap(BridgePosition.init))
        case .subscribe: try subscribed(result)
        case .get(let names, loads: true):
            rules.load(names, result.member("value"))
            finishLoading(revision)
        case .get(let names, loads: false): rules.receiveRead(names, result.member("value"), at: revision)
        case .describe(let names, let message, let loads):
            guard let members = members(result)
            else { return cannotRead(names, message, loads: loads, at: revision) }
            guard loads else { return rules.receiveMembers(members, of: names, at: revision) }
            for name in members { load(names + [name]) }
            finishLoading(revision)
        case .transaction: rules.answered(.success(revision))
        case .unchecked: break
        }
    }

    /// The names of a model's members that travel; nil for another value.
    private func members(_ description: RawJSON) -> [String]? {
        guard description.string("kind") == "model" else { return nil }
        return (description.member("properties")?.elements ?? []).compactMap { property in
            let isLeft =
                property.string("kind") == "null" || property.isTrue("weak") || property.isTrue("computed")
            return isLeft ? nil : property.string("name")
        }
    }

    private func refusal(_ request: Request, _ error: DaemonError) throws(ClientError) {
        let isTooLarge = error.code == .limitExceeded
        switch request {
        case .claim: try refusedClaim(error)
        case .get(let names, let loads) where isTooLarge:
            send(.describe(names, refused: error.message, loads: loads), "describe", path(names))
        case .get(let names, let loads), .describe(let names, _, let loads):
            cannotRead(names, error.message, loads: loads, at: 0)
        case .transaction(let count):
            // The position itself can't be written: that is not a value's fault.
            if let index = error.operation, index >= count { throw .refused(error) }
            rules.answered(.failure(error))
        case .position, .subscribe: throw .refused(error)
        case .unchecked: break
        }
    }

    private func cannotRead(_ names: [String], _ reason: String, loads: Bool, at revision: Int64) {
        rules.cannotRead(names, reason)
        if loads { finishLoading(revision) } else { rules.local.reading -= 1 }
    }

    // MARK: Beginning

    private var position: BridgePosition?

    private func subscribe(_ position: BridgePosition?) {
        self.position = position
        let isKnown = rules.local.isLoaded
        let epoch = isKnown ? rules.local.epoch : position?.epoch
        let revision = isKnown ? rules.local.revision : position?.revision ?? 0
        let paths = rules.tree.scopes.map { Value.string("\(DottedKeyPath.text(of: $0.path)).**") }
        let params: RequestParams = [
            "paths": RawJSON(.array(paths)), "own": false, "origin": true, "whole": true, "initial": false,
            "since": epoch.map { RawJSON(["epoch": .string($0), "revision": .int(revision)]) },
        ]
        send(.subscribe, "subscribe", params)
    }

    private func subscribed(_ result: RawJSON) throws(ClientError) {
        guard let epoch = result.string("epoch"), let revision = result.int("revision")
        else { throw .malformed("an answer to subscribe without epoch and revision") }
        formerRevision = revision
        let isResumed = result.isTrue("resumed")
        if rules.attachLocal(epoch: epoch, revision: revision, isResumed: isResumed, position: position) {
            for scope in rules.tree.scopes { load(scope.path) }
        }
    }

    private func load(_ names: [String]) {
        loading += 1
        send(.get(names, loads: true), "get", path(names))
    }

    private func path(_ names: [String]) -> RequestParams {
        ["path": RawJSON(array: names.map { RawJSON(.string($0)) })]
    }

    private func finishLoading(_ revision: Int64) {
        loadedRevision = max(loadedRevision, revision)
        loading -= 1
        if loading == 0 { rules.finishLoading(at: loadedRevision) }
    }

    // MARK: Writing

    func write(wantsPosition: Bool) {
        if let nextClaim, nextClaim <= .now { claim() }
        for names in rules.takeUnread() { send(.get(names, loads: false), "get", path(names)) }
        while let next = rules.nextTransaction(wantsPosition: wantsPosition) {
            let operations = operations(of: next)
            if operations.bytes.count <= DaemonLink.lineLimitBytes || next.writes.isEmpty {
                return send(.transaction(count: next.writes.count), "transaction", ["operations": operations])
            }
            let message = "the value has more bytes than the daemon takes in a line"
            rules.answered(.failure(DaemonError(code: .limitExceeded, message: message)))
        }
    }

    private func operations(of transaction: BridgeTransaction) -> RawJSON {
        RawJSON { buffer in
            buffer.append("[")
            for write in transaction.writes {
                write.append(to: buffer, at: transaction.revision)
                buffer.append(",")
            }
            let value = RawJSON([bucket: transaction.position.value])
            buffer.append(contentsOf: WriteOperation(.merge, "bridges", ["value": value]).json.bytes)
            buffer.append("]")
        }
    }

    /// Writes the status. Unless it is the last one, it ends with the connection, however that ends: then the same status
    /// shows, but not connected.
    func write(status: Value, isLast: Bool = false) {
        var members = status.object ?? ValueMembers()
        members["connected"] = .bool(false)
        let path = "bridges.\(bucket).status"
        var operations = [WriteOperation(.set, path, ["value": RawJSON(.object(members)), "parents": true])]
        if !isLast {
            operations.append(
                WriteOperation(.set, path, ["value": RawJSON(status), "lifetime": "connection"])
            )
        }
        send(.unchecked, "transaction", ["operations": RawJSON(array: operations.map(\.json))])
    }
}

private extension BridgeWrite {
    /// Appends the write as an operation of a transaction: almost all that a daemon gets.
    func append(to buffer: ByteBuffer, at revision: Int64) {
        buffer.append(
            value == nil ? #"{"method":"remove","params":{"path":"# : #"{"method":"set","params":{"path":"#
        )
        target.appendPath(to: buffer)
        if let value {
            buffer.append(",\"value\":")
            buffer.append(contentsOf: value.bytes)
            buffer.append(",\"parents\":true")
        }
        if let expected {
            buffer.append(",\"ifValue\":")
            buffer.append(contentsOf: expected.bytes)
        } else {
            buffer.append(",\"ifRevision\":")
            buffer.append(decimal: revision)
        }
        buffer.append("}}")
    }
}
