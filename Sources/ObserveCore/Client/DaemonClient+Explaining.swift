// SPDX-License-Identifier: MIT
// Asks a daemon why a value is what it is. Independent of connections.

extension DaemonClient {
    /// Why a path has its value.
    /// - Parameter path: A literal key path.
    public func explain(_ path: String) async throws(ClientError) -> ValueExplanation {
        try ValueExplanation(AnswerMembers(try await call("explain", ["path": .string(path)])))
    }
}

extension ValueExplanation {
    init(_ answer: AnswerMembers) throws(ClientError) {
        path = try answer.get("path")
        revision = try answer.unsigned("revision")
        value = answer.value["value"] ?? .null
        nilAt = answer.value["nilAt"]?.string
        type = try answer.get("type")
        kind = try answer.get("kind")
        computed = try answer.get("computed")
        readonly = try answer.get("readonly")
        components = try answer.list("components", Component.init)
        let change = try answer.member("lastChange")
        lastChange = change.value.isNull ? nil : try Change(change)
        observers = try Observers(answer.member("observers"))
        feeds = try answer.list("feeds", Feed.init)
        fedBy = try answer.list("fedBy", Feed.init)
        lifetimes = try answer.list("lifetimes", Layer.init)
        hidden = answer.value["hidden"] != nil
    }
}

extension ValueExplanation.Component {
    fileprivate init(_ answer: AnswerMembers) throws(ClientError) {
        path = try answer.get("path")
        kind = try answer.get("kind")
        type = try answer.get("type")
        instance = answer.value["instance"]?.int.flatMap { UInt64(exactly: $0) }
        weak = try answer.get("weak")
        holders = try answer.list("holders") { (answer) throws(ClientError) in
            ValueExplanation.Holder(path: try answer.get("path"), weak: try answer.get("weak"))
        }
        furtherHolders = try answer.get("furtherHolders")
    }
}

extension ValueExplanation.Change {
    fileprivate init(_ answer: AnswerMembers) throws(ClientError) {
        revision = try answer.unsigned("revision")
        time = answer.value["time"]?.string
        origin = answer.value["origin"].map(ChangeMaker.init)
    }
}

extension ValueExplanation.Observers {
    fileprivate init(_ answer: AnswerMembers) throws(ClientError) {
        exact = try answer.get("exact")
        below = try answer.get("below")
        patterns = try answer.get("patterns")
    }
}

extension ValueExplanation.Feed {
    fileprivate init(_ answer: AnswerMembers) throws(ClientError) {
        if let path = answer.value["computed"]?.string {
            self = .computed(path: path)
        } else {
            self = .binding(try answer.get("binding"), path: try answer.get("path"))
        }
    }
}

extension ValueExplanation.Layer {
    fileprivate init(_ answer: AnswerMembers) throws(ClientError) {
        value = answer.value["value"] ?? .null
        origin = answer.value["origin"].map(ChangeMaker.init)
        switch answer.value["ends"] {
        case .string("connection"): end = .connection
        case .string("permanent"): end = .permanent
        default: end = .milliseconds(try answer.get("ends"))
        }
    }
}

extension ChangeMaker {
    fileprivate init(_ origin: Value) {
        pid = origin["pid"]?.int.map(Int.init)
        uid = origin["uid"]?.int.flatMap { UInt64(exactly: $0) }
        binding = origin["binding"]?.int.map(Int.init)
        switch origin["lifetime"] {
        case .string: lifetime = .connection
        case .int(let milliseconds): lifetime = .milliseconds(Int(milliseconds))
        default: lifetime = nil
        }
    }
}
