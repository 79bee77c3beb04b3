// SPDX-License-Identifier: MIT
// The few requests of JetStream that a key-value bucket needs, and their answers. Independent of connections.

import ObserveCore

/// A bucket: the stream `KV_NAME`, whose subjects are `$KV.NAME.KEY`.
struct Bucket: Equatable {
    let name: String
    /// The domain of JetStream that has the bucket, as a leaf node needs it; nil for that of the server itself.
    var domain: String?

    /// Nil unless the name has only letters, digits, `_` and `-`.
    init?(_ name: String) {
        guard name.utf8.allSatisfy(\.isOfBucketName), (1...200).contains(name.utf8.count) else { return nil }
        self.name = name
    }

    var stream: String { "KV_\(name)" }
    var prefix: String { "$KV.\(name)." }

    /// The beginning of a put's subject: a leaf node passes on a domain's subjects alone.
    var putPrefix: String { domain == nil ? prefix : "\(requests).\(prefix)" }

    private var requests: String { domain.map { "$JS.\($0).API" } ?? "$JS.API" }

    /// The subject of a request, as `STREAM.INFO`.
    func subject(_ request: String) -> String { "\(requests).\(request).\(stream)" }

    /// The settings that a bridge needs: one value a key, nothing expires, a full stream refuses.
    var creation: [UInt8] {
        let settings: Value = [
            "name": .string(stream), "subjects": [.string("\(prefix)>")], "retention": "limits",
            "storage": "file", "discard": "new", "max_msgs_per_subject": 1, "max_age": 0, "max_msgs": -1,
            "max_bytes": -1, "max_msg_size": -1, "max_consumers": -1, "num_replicas": 1,
            "allow_rollup_hdrs": true, "deny_delete": true, "allow_direct": true,
        ]
        return RawJSON(settings).bytes
    }

    /// The removal of a key's messages before a sequence.
    func purge(_ key: [UInt8], before sequence: UInt64) -> [UInt8] {
        let filter = prefix + String(decoding: key, as: UTF8.self)
        return RawJSON(["filter": .string(filter), "seq": .int(Int64(clamping: sequence))]).bytes
    }

    /// A consumer without acknowledgements: it sends each message from a sequence on, or the last of each subject, in order.
    func consumer(to inbox: String, from start: UInt64?) -> [UInt8] {
        var config = ValueMembers([
            ("deliver_subject", .string(inbox)), ("ack_policy", "none"), ("max_deliver", 1),
            ("replay_policy", "instant"), ("flow_control", true),
            ("idle_heartbeat", .int(Bucket.heartbeatMilliseconds * 1_000_000)),
            ("filter_subject", .string("\(prefix)>")), ("mem_storage", true), ("num_replicas", 1),
            ("deliver_policy", start == nil ? "last_per_subject" : "by_start_sequence"),
        ])
        if let start { config["opt_start_seq"] = .int(Int64(clamping: start)) }
        return RawJSON(["stream_name": .string(stream), "config": .object(config)]).bytes
    }

    /// The interval in which a consumer without messages says that it is there.
    static let heartbeatMilliseconds: Int64 = 1000
}

extension UInt8 {
    /// Whether it is a letter, a digit, `_` or `-`.
    var isOfBucketName: Bool { isWord || self == 0x2D }
}

/// An answer of JetStream. Throws ``NatsError/stream(code:_:)`` for a refusal, ``NatsError/unserved(_:)`` for one that may end by
/// itself, ``NatsError/malformed(_:)`` for other bytes.
func streamAnswer(_ payload: ArraySlice<UInt8>) throws(NatsError) -> Value {
    guard let value = try? RawJSON(validating: payload).value(), value.object != nil
    else { throw .malformed("an answer of JetStream that is not an object") }
    guard let error = value["error"] else { return value }
    let text = (error["description"]?.string ?? "no reason given").cut(atBytes: NatsError.textBytes)
    if error["code"]?.int == 503 { throw .unserved(text) }
    let code = error["err_code"]?.int ?? error["code"]?.int ?? 0
    throw .stream(code: Int(clamping: code), text)
}

struct StreamState: Equatable {
    /// Tells two streams of the same name apart: the time at which it was made.
    let identity: String
    let lastSequence: UInt64
    /// Which setting would lose or refuse changes, as a clause; nil if none does.
    let misfit: String?

    static let notFound = 10059
    static let nameInUse = 10058
    static let wrongLastSequence = 10071
    /// A value beyond the bucket's `max_msg_size`.
    static let valueTooLarge = 10054

    init(_ payload: ArraySlice<UInt8>) throws(NatsError) {
        let value = try streamAnswer(payload)
        guard let created = value["created"]?.string, let config = value["config"]
        else { throw .malformed("a stream without 'created' and 'config'") }
        identity = created
        lastSequence = UInt64(clamping: value["state"]?["last_seq"]?.int ?? 0)
        misfit = StreamState.misfit(of: config)
    }

    private static func misfit(of config: Value) -> String? {
        let (age, count) = (config["max_age"]?.int ?? 0, config["max_msgs_per_subject"]?.int ?? 1)
        let (discard, retention) = (config["discard"]?.string, config["retention"]?.string ?? "limits")
        if age != 0 { return "max_age is \(age) ns, so values would expire" }
        if discard != "new" { return "discard is not 'new', so a full bucket would lose values" }
        if count < 1 { return "max_msgs_per_subject is \(count), so it is not a bucket" }
        if retention == "limits" { return nil }
        return "retention is '\(retention)', so values would vanish once they are read"
    }
}

/// The sequence of a value in its stream, from the answer to its put.
func putSequence(_ message: NatsMessage) throws(NatsError) -> UInt64 {
    if message.headers.status == 503 { throw .unserved("no stream takes the bucket's keys") }
    // Almost all answers are of this kind.
    let json = try? RawJSON(validating: message.payload)
    let sequence = json?.member("error") == nil ? json?.member("seq") : nil
    if let sequence, let number = UInt64(decimal: sequence.bytes[...]), number > 0 { return number }
    _ = try streamAnswer(message.payload)
    throw .malformed("a PubAck without seq")
}

/// The place of a message in its stream, from its reply subject.
struct Delivery: Equatable {
    let streamSequence: UInt64
    let consumerSequence: UInt64
    /// In nanoseconds since 1970.
    let time: UInt64
    /// How many messages wait behind it.
    let pending: UInt64

    private static let prefix = Array("$JS.ACK.".utf8)

    /// Reads `$JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERED.SEQUENCE.CONSUMER SEQUENCE.TIME.PENDING[.TOKEN]`.
    init(_ reply: ArraySlice<UInt8>?) throws(NatsError) {
        let reply = reply ?? []
        let words = ByteWords(separatedByDots: reply)
        guard words.count >= 9, reply.starts(with: Delivery.prefix)
        else { throw .malformed("a stream's message without its place") }
        let first = words.count >= 11 ? 7 : 5
        guard let stream = UInt64(decimal: reply[words[first]]),
            let consumer = UInt64(decimal: reply[words[first + 1]]),
            let time = UInt64(decimal: reply[words[first + 2]]),
            let pending = UInt64(decimal: reply[words[first + 3]]), stream > 0
        else { throw .malformed("a stream's message whose place is not numbers") }
        (streamSequence, consumerSequence) = (stream, consumer)
        (self.time, self.pending) = (time, pending)
    }
}
