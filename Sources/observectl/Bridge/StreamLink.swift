// SPDX-License-Identifier: MIT
// A bridge's connection to a bucket: puts and acknowledgements, and the messages of its consumer. Independent of the daemon.

import ObserveCore

/// - Errors: ``receive()`` and ``check(at:)`` throw once the connection can't be used.
final class StreamLink {
    private enum Phase { case greeting, asking, creating, subscribing, running }

    /// So many bytes may wait besides a value.
    private static let mostUnsentBytes = 4 << 20

    /// A server that says nothing for that long is lost.
    private static let patienceMilliseconds: UInt64 = 5000

    /// The subjects of the inbox, by the numbers of their subscriptions.
    private enum Inbox: Int, CaseIterable {
        case info = 1
        case create, consumer, purge
        /// Acknowledgements, each with the number of its put.
        case puts

        var name: String { self == .puts ? "a.*" : "\(self)" }
    }

    /// Subscriptions above this number are consumers'.
    private static let firstConsumer = 10

    private let rules: BridgeRules
    private let bucket: Bucket
    private let creates: Bool
    private let link: ByteLink
    private var session: NatsSession
    private let inbox: String
    /// The beginnings of the subjects of keys, of puts, and of their acknowledgements.
    private let keyPrefix, putPrefix, replyPrefix: [UInt8]
    private var phase = Phase.greeting { didSet { phaseBegan = .now } }
    private var phaseBegan = MonotonicTime.now
    /// When the consumer last sent a message or a heartbeat.
    private var lastDelivered = MonotonicTime.now
    private var lastHeard = MonotonicTime.now
    /// When the oldest unacknowledged put was sent, or an acknowledgement came.
    private var lastAcknowledged = MonotonicTime.now
    /// The number of the present consumer, and the last sequence that it gave.
    private var consumer = 0
    private var consumerSequence: UInt64 = 0
    private(set) var lag: UInt64 = 0
    /// The stream's last sequence when the consumer was made: with it, the last value of each key has come.
    private var target: UInt64 = 0
    /// What this user may not do, if the bridge can't do without it.
    private var denial: String?
    private let report: (String) -> Void

    init(
        _ rules: BridgeRules,
        _ settings: BridgeSettings,
        owning socket: consuming FileDescriptor,
        report: @escaping (String) -> Void
    ) {
        (self.rules, self.report) = (rules, report)
        (bucket, creates) = (settings.bucket, settings.creates)
        link = ByteLink(owning: socket)
        session = NatsSession(settings.credentials, output: link.unsent)
        inbox = "_INBOX.\(Platform.pid)x\(UInt64.random(in: 0...UInt64.max))"
        (keyPrefix, putPrefix) = (Array(bucket.prefix.utf8), Array(bucket.putPrefix.utf8))
        replyPrefix = Array("\(inbox).a.".utf8)
    }

    /// While the server does not read, nothing is read that needs an answer. So a server that never reads is a silent one.
    var interest: (descriptor: Int32, events: PollEvents) {
        link.unsent.count > StreamLink.mostUnsentBytes + rules.payloadLimit
            ? (link.interest.descriptor, .writable) : link.interest
    }

    func flush() { link.flush() }
    var isRunning: Bool { phase == .running }
    /// Whether all messages of the stream have come.
    var isCaughtUp: Bool { phase == .running && lag == 0 }

    // MARK: Receiving

    func receive() throws(NatsError) {
        let (result, bytes) = link.receive()
        if !bytes.isEmpty { lastHeard = .now }
        session.feed(bytes)
        while true {
            let message = try session.next { refused($0) }
            if phase == .greeting, session.isReady {
                for subject in Inbox.allCases {
                    session.subscribe("\(inbox).\(subject.name)", as: subject.rawValue)
                }
                ask()
            }
            guard let message else { break }
            try handle(message)
        }
        if let bytes = session.info?.maxPayloadBytes { rules.payloadLimit = bytes }
        if let denial { throw .refused(denial) }
        link.flush()
        if let end = result.end { throw .lost(code: end) }
    }

    /// Asks for the stream; its answer leads to a new consumer.
    private func ask() {
        phase = .asking
        session.publish(bucket.subject("STREAM.INFO"), reply: "\(inbox).info")
        link.flush()
    }

    private func handle(_ message: NatsMessage) throws(NatsError) {
        // A consumer's messages have their own subjects.
        if message.subscription == StreamLink.firstConsumer + consumer { return try delivered(message) }
        let isServed = message.headers.status != 503
        switch Inbox(rawValue: message.subscription) {
        case .puts: try acknowledged(message)
        case .purge: purged(message)
        case .info where phase == .asking && isServed: try found(message)
        case .create where phase == .creating && isServed: try created(message)
        case .consumer where phase == .subscribing && isServed: try subscribed(message)
        case .info, .create, .consumer:
            guard !isServed else { break }
            let place = bucket.domain.map { "off in the domain '\($0)'" } ?? "off"
            throw .unserved("it is \(place), or this user may not use it")
        case nil: break
        }
    }

    private func found(_ message: NatsMessage) throws(NatsError) {
        let state: StreamState
        do throws(NatsError) {
            state = try StreamState(message.payload)
        } catch .stream(StreamState.notFound, _) {
            let text = "the server has no bucket '\(bucket.name)'; --create makes it"
            guard creates else { throw .stream(code: StreamState.notFound, text) }
            phase = .creating
            session.publish(bucket.subject("STREAM.CREATE"), bucket.creation, reply: "\(inbox).create")
            return
        }
        if let misfit = state.misfit {
            throw .refused("the bucket '\(bucket.name)' can't be bridged: \(misfit)")
        }
        // Acknowledgements of another stream's puts must not come into this one.
        if !rules.outbound.flights.isEmpty, rules.remote.identity != state.identity {
            throw .refused("the bucket '\(bucket.name)' is another one now")
        }
        lastDelivered = .now
        target = state.lastSequence
        let start = rules.attachRemote(identity: state.identity, lastSequence: state.lastSequence)
        // A consumer finds its receiver by the subject itself, not by a wildcard.
        if consumer > 0 { session.unsubscribe(StreamLink.firstConsumer + consumer) }
        consumer += 1
        session.subscribe("\(inbox).d.\(consumer)", as: StreamLink.firstConsumer + consumer)
        consumerSequence = 0
        phase = .subscribing
        let request = bucket.consumer(to: "\(inbox).d.\(consumer)", from: start)
        session.publish(bucket.subject("CONSUMER.CREATE"), request, reply: "\(inbox).consumer")
    }

    private func created(_ message: NatsMessage) throws(NatsError) {
        do throws(NatsError) {
            _ = try StreamState(message.payload)
            report("made the bucket '\(bucket.name)'")
        } catch .stream(StreamState.nameInUse, _) {
            // Another bridge was faster.
        }
        ask()
    }

    private func subscribed(_ message: NatsMessage) throws(NatsError) {
        let consumer = try streamAnswer(message.payload)
        let sent = UInt64(clamping: consumer["delivered"]?["consumer_seq"]?.int ?? 0)
        // Its first messages may be behind the answer.
        let isBehind = sent > consumerSequence
        lag = UInt64(clamping: consumer["num_pending"]?.int ?? 0) + (isBehind ? sent - consumerSequence : 0)
        phase = .running
        if lag == 0 { rules.finishLoadingRemote() }
    }

    // MARK: Messages

    private func delivered(_ message: NatsMessage) throws(NatsError) {
        // A consumer that lost a message has a successor soon.
        guard phase == .running || phase == .subscribing else { return }
        lastDelivered = .now
        if let status = message.headers.status {
            guard status == 100 else { return ask() }
            let stalled = message.headers["Nats-Consumer-Stalled"]
            let reply = message.reply.map { Array($0) } ?? stalled.map { Array($0.utf8) }
            if let reply { session.publish(reply, [], reply: nil) }
            return heard(message.headers)
        }
        let place = try Delivery(message.reply)
        guard place.consumerSequence == consumerSequence + 1 else { return ask() }
        consumerSequence += 1
        rules.remote.ages.note(place.streamSequence, at: place.time)
        // The first messages may come before the consumer's answer.
        if phase == .subscribing { phase = .running }
        // Since 2.11 the server itself says that a value's lifetime is over.
        let isGone =
            ["DEL", "PURGE"].contains(message.headers["KV-Operation"])
            || message.headers["Nats-Marker-Reason"] != nil
        let isKey = message.subject.starts(with: keyPrefix)
        let names = isKey ? BridgeKey.names(of: message.subject.dropFirst(keyPrefix.count)) : nil
        let content = isGone ? .gone : StreamLink.content(message.payload)
        rules.delivered(names, RemoteValue(sequence: place.streamSequence, content: content))
        lag = place.pending
        if lag == 0 || place.streamSequence >= target { rules.finishLoadingRemote() }
    }

    /// A heartbeat comes if there is nothing to send. A server's count of waiting messages may be wrong.
    private func heard(_ heartbeat: NatsHeaders) {
        guard let last = heartbeat["Nats-Last-Consumer"].flatMap({ UInt64($0) }) else { return }
        if last > consumerSequence { return ask() }
        guard last == consumerSequence, heartbeat["Nats-Consumer-Stalled"] == nil else { return }
        lag = 0
        if phase == .running { rules.finishLoadingRemote() }
    }

    private static func content(_ payload: ArraySlice<UInt8>) -> RemoteValue.Content {
        guard let json = try? RawJSON(validating: payload) else { return .unusable }
        if json.isNull { return .gone }
        if json.isModel { return json.members?.isEmpty == true ? .leaf(.emptyModel) : .unusable }
        return .leaf(json)
    }

    private func acknowledged(_ message: NatsMessage) throws(NatsError) {
        guard message.subject.starts(with: replyPrefix),
            let ticket = Int(decimal: message.subject.dropFirst(replyPrefix.count))
        else { return }
        lastAcknowledged = .now
        defer { if rules.outbound.isEmpty { rules.outbound.refusals = ReportedReasons() } }
        do throws(NatsError) { rules.acknowledged(ticket, at: try putSequence(message)) } catch {
            let reason: String
            switch error {
            case .stream(StreamState.wrongLastSequence, _) where rules.overtaken(ticket): return
            case .stream(StreamState.valueTooLarge, let text):
                return rules.refused(ticket, "JetStream refused it: \(text)")
            case .stream(_, let text), .unserved(let text): reason = text
            default: throw error
            }
            let isFirst = !rules.outbound.isPaused
            rules.postponed(ticket)
            if isFirst, rules.outbound.refusals.note(reason) {
                report("a change waits: JetStream refused it: \(reason)")
            }
            if message.headers.status == 503, phase == .running { ask() }
        }
    }

    /// `Permissions Violation for Publish to "SUBJECT"`, or for `Subscription`. Without all subjects but those of keys, the
    /// bridge can't work.
    private func refused(_ text: String) {
        let words = text.split(separator: "\"")
        let subject = words.count > 1 ? words[1] : "a subject"
        guard subject.hasPrefix(bucket.putPrefix),
            let names = BridgeKey.names(of: Array(subject.utf8.dropFirst(putPrefix.count))[...])
        else {
            if subject.hasPrefix("_INBOX.") { return denial = "this user may not subscribe to _INBOX.>" }
            let shown = subject.hasPrefix("$JS.FC.") ? "$JS.FC.>" : subject
            return denial = "this user may not publish to \(shown)"
        }
        rules.forbidden(names, "the NATS server refused: this user may not publish it")
    }

    // MARK: Puts

    func put() {
        guard phase == .running, link.unsent.count < 1 << 20 else { return }
        let puts = rules.nextPuts()
        guard !puts.isEmpty else { return }
        if rules.outbound.flights.count == puts.count { lastAcknowledged = .now }
        for put in puts {
            var headers: [(String, String)] = put.value == nil ? [("KV-Operation", "DEL")] : []
            if let expected = put.expected {
                headers.append(("Nats-Expected-Last-Subject-Sequence", "\(expected)"))
            }
            let (subject, reply) = (putPrefix + put.node.key, replyPrefix + String(put.ticket).utf8)
            session.publish(subject, put.value?.bytes ?? [], reply: reply, headers: headers)
        }
        link.flush()
    }

    // MARK: Tombstones

    private static let mostPurges = 1000

    /// Removes tombstones that are older than a week from the bucket. True if there may be more.
    /// - Parameter now: in nanoseconds since 1970.
    func purge(at now: UInt64) -> Bool {
        let last = rules.remote.ages.lastOld(at: now)
        let old = rules.forgetTombstones(upTo: last, limit: StreamLink.mostPurges)
        for (key, sequence) in old {
            let request = bucket.purge(key, before: sequence + 1)
            session.publish(bucket.subject("STREAM.PURGE"), request, reply: "\(inbox).purge")
        }
        link.flush()
        return old.count == StreamLink.mostPurges
    }

    private func purged(_ message: NatsMessage) {
        do throws(NatsError) { _ = try streamAnswer(message.payload) } catch {
            report("a tombstone stays: \(error.sentence)")
        }
    }

    /// Finds a server that has gone without a word. Call it about once a second.
    func check(at now: MonotonicTime) throws(NatsError) {
        func isLate(_ time: MonotonicTime) -> Bool {
            time.adding(milliseconds: StreamLink.patienceMilliseconds) <= now
        }
        if isLate(lastHeard) { throw .silent(phase == .greeting ? "the connection" : "a ping") }
        if phase != .running, isLate(phaseBegan) { throw .silent("JetStream's requests") }
        // The consumer has gone, perhaps with its bucket.
        if phase == .running, isLate(lastDelivered) { ask() }
        if phase == .running, !rules.outbound.flights.isEmpty, isLate(lastAcknowledged) {
            throw .silent("a put")
        }
        session.ping()
        link.flush()
    }
}
