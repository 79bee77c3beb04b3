// SPDX-License-Identifier: MIT
// The schemas of results in the answer of `rpc.discover`. Independent of how the hub makes the results.

/// The result of a method.
struct MethodResult {
    let name: StaticString
    /// See ``SchemaNotation``.
    let schema: String

    /// The content descriptor as JSON.
    var descriptor: String { #"{"name":"\#(name)","schema":\#(SchemaNotation.json(schema))}"# }

    static let written = MethodResult(name: "written", schema: "Written")
    static let nothing = MethodResult(name: "nothing", schema: "{}")

    static let value = MethodResult(
        name: "value",
        schema: """
            {value: any, nilAt?: EscapedPath, revision: Revision}
            | {values: [{value: any, nilAt?: EscapedPath}]+, revision: Revision}
            """
    )

    /// How a property changed, besides by an assignment.
    private static let manner = "binding?: number, computed?: bool, released?: bool"

    /// What a dry run adds to the result of a write.
    static let previewed = """
        changes?: [{path: EscapedPath, old: any, new: any, \(manner)}], furtherChanges?: number,
        failing?: [{binding: number, path: EscapedPath, message: string}], furtherFailing?: number,
        hidden?: number
        """

    private static let outcome = "revision: Revision, changed?: bool, value?: finite"
    static let incremented = MethodResult(name: "written", schema: "{\(outcome), \(previewed)}")

    static let transaction = MethodResult(
        name: "written",
        schema: "{revision: Revision, changed?: bool, results: [{\(outcome)}]+, \(previewed)}"
    )

    static let subscribed = MethodResult(
        name: "subscription",
        schema: """
            {subscription: number, tag?: Tag, revision: Revision, epoch: string, initial: count,
            resumed: bool, replayed?: count}
            """
    )

    static let bound = MethodResult(name: "binding", schema: "{binding: number, revision: Revision}")

    static let bindings = MethodResult(
        name: "bindings",
        schema: """
            {bindings: [{binding: number, source: EscapedPath, target: EscapedPath, twoWay: bool,
            failing: bool, message?: string}], furtherBindings?: count}
            """
    )

    /// The members of every description.
    private static let described =
        "kind: Kind, type: string, instance?: number, weak: bool, computed: bool, readonly: bool"

    private static let declaredType = """
        {name: string, properties: [{name: string, type: string, weak: bool, computed: bool,
        readonly: bool, default?: any}]}
        """

    static let description = MethodResult(
        name: "description",
        schema: """
            {\(described), count?: count, properties?: [{name: string, \(described)}],
            nilAt?: EscapedPath, types?: [\(declaredType)]}
            """
    )

    /// What a property feeds, or is fed by.
    private static let feeds = "[{binding: number, path: string} | {computed: EscapedPath}]"

    private static let component = """
        {path: EscapedPath, kind: Kind, type: string, instance?: number, weak: bool,
        holders: [{path: EscapedPath, weak: bool}], furtherHolders: count}
        """

    private static let lastChange = "{revision: Revision, time?: string, origin?: Origin}"
    private static let lifetime = "{value: any, origin?: Origin, ends: <connection permanent> | count}"

    private static let reasons = """
        {revision: Revision, steps: [{path: EscapedPath, \(manner), origin?: Origin}], hidden?: number}
        """

    static let explanation = MethodResult(
        name: "explanation",
        schema: """
            {path: EscapedPath, revision: Revision, value: any, nilAt?: EscapedPath, type: string,
            kind: Kind, computed: bool, readonly: bool, components: [\(component)],
            lastChange: \(lastChange) | null, observers: {exact: count, below: count, patterns: count},
            feeds: \(feeds), furtherFeeds?: number, fedBy: \(feeds), furtherFedBy?: number,
            lifetimes: [\(lifetime)], because: \(reasons) | null, hidden?: bool}
            """
    )

    static let dumped = MethodResult(
        name: "part",
        schema: "{part: count, revision: Revision, epoch: string, more: bool, text: string}"
    )

    static let loaded = MethodResult(name: "loaded", schema: "{part: count} | Written")

    private static let subscription = """
        {subscription: number, paths: [string]+, furtherPaths?: number, tag?: Tag, eventsSent: count}
        """

    static let clients = MethodResult(
        name: "clients",
        schema: """
            {clients: [{connection: number, pid: integer, uid: count, name: string | null,
            seconds: finite, requests: count, eventsSent: count, eventsCoalesced: count,
            bytesWaiting: count, lifetimes: count, subscriptions: [\(subscription)],
            furtherSubscriptions: count}]}
            """
    )

    static let upgraded = MethodResult(name: "upgraded", schema: "{version: string}")

    private static let journal = """
        {durability: <commit interval none>, failing: bool, bytes: count, snapshotBytes: count,
        longestSlice: finite, longestSliceWork: finite}
        """

    static let status = MethodResult(
        name: "status",
        schema: """
            {version: string, capabilities: [string], epoch: string, revision: Revision, uptime: finite,
            connections: count, subscriptions: count, models: count, bindings: count,
            bindingsFailing: count, bindingWritesFailed: count, eventsSent: count,
            eventsCoalesced: count, overflowed: count, outboxBytes: count,
            limits: {*: {max: number, used?: count}}, journal?: \(journal)}
            """
    )

    static let document = MethodResult(
        name: "document",
        schema: """
            {openrpc: string, info: {title: string, version: string, license: {name: string}},
            methods: [object]+, components: object, x-notifications: [object]+}
            """
    )
}
