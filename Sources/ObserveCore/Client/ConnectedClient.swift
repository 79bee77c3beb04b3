// SPDX-License-Identifier: MIT
// The open connections of a daemon, as `clients` reports them. Independent of connections.

/// One open connection of a daemon.
/// - Threading: a value type.
public struct ConnectedClient: Equatable, Sendable {
    /// A subscription of the connection.
    public struct Subscription: Equatable, Sendable {
        /// The number on its connection.
        public let number: Int
        /// The paths and patterns, a hundred at most.
        public let paths: [String]
        /// The tag, if the client gave one.
        public let tag: Value?
        /// The number of events sent.
        public let eventsSent: UInt64
    }

    /// The number of the connection.
    public let connection: Int
    /// The process that connected.
    public let pid: Int
    /// The user of that process.
    public let uid: UInt64
    /// The name of the process; nil if it has ended.
    public let name: String?
    /// How long the connection has been open.
    public let seconds: Double
    /// The number of requests and notifications.
    public let requests: UInt64
    /// The number of events sent.
    public let eventsSent: UInt64
    /// The number of changes that coalesced into other events.
    public let eventsCoalesced: UInt64
    /// The number of bytes that wait for the client.
    public let bytesWaiting: Int
    /// The number of values that expire with the connection.
    public let lifetimes: Int
    /// The first hundred subscriptions.
    public let subscriptions: [Subscription]
    /// The number of further ones.
    public let furtherSubscriptions: Int

    init(_ answer: AnswerMembers) throws(ClientError) {
        connection = try answer.get("connection")
        pid = try answer.get("pid")
        uid = try answer.unsigned("uid")
        name = answer.value["name"]?.string
        seconds = try answer.get("seconds")
        requests = try answer.unsigned("requests")
        eventsSent = try answer.unsigned("eventsSent")
        eventsCoalesced = try answer.unsigned("eventsCoalesced")
        bytesWaiting = try answer.get("bytesWaiting")
        lifetimes = try answer.get("lifetimes")
        subscriptions = try answer.list("subscriptions", Subscription.init)
        furtherSubscriptions = try answer.get("furtherSubscriptions")
    }
}

extension ConnectedClient.Subscription {
    init(_ answer: AnswerMembers) throws(ClientError) {
        number = try answer.get("subscription")
        paths = try answer.get("paths")
        tag = answer.value["tag"]
        eventsSent = try answer.unsigned("eventsSent")
    }
}

extension DaemonClient {
    /// The daemon's open connections, the oldest first. Only the daemon's own user and root may ask.
    public func clients() async throws(ClientError) -> [ConnectedClient] {
        try AnswerMembers(try await call("clients")).list("clients", ConnectedClient.init)
    }
}
