// SPDX-License-Identifier: MIT
// The schemas of results in the answer of `rpc.discover`. Independent of how the hub makes the results.

extension ContentDescriptor {
    static let written: ContentDescriptor = "written: Written"
    static let nothing: ContentDescriptor = "nothing: {}"

    static let value: ContentDescriptor = """
        value: {value: any, nilAt?: EscapedPath, revision: Revision}
        | {values: [{value: any, nilAt?: EscapedPath}]+, revision: Revision}
        """

    /// How a property changed, besides by an assignment.
    private static let manner = "binding?: number, computed?: bool, released?: bool"

    static let previewed = """
        changes?: [{path: EscapedPath, old: any, new: any, \(manner)}], furtherChanges?: number,
        failing?: [{binding: number, path: EscapedPath, message: string}], furtherFailing?: number,
        hidden?: number
        """

    private static let outcome = "revision: Revision, changed?: bool, value?: finite"
    static let incremented: ContentDescriptor = "written: {\(outcome), \(previewed)}"

    static let transaction: ContentDescriptor =
        "written: {revision: Revision, changed?: bool, results: [{\(outcome)}]+, \(previewed)}"

    static let subscribed: ContentDescriptor = """
        subscription: {subscription: number, tag?: Tag, revision: Revision, epoch: string, initial: count,
        resumed: bool, replayed?: count}
        """

    static let bindings: ContentDescriptor = """
        bindings: {bindings: [{binding: number, source: EscapedPath, target: EscapedPath, twoWay: bool,
        failing: bool, message?: string}], furtherBindings?: count}
        """

    private static let described =
        "kind: Kind, type: string, instance?: number, weak: bool, computed: bool, readonly: bool"

    private static let declaredType = """
        {name: string, properties: [{name: string, type: string, weak: bool, computed: bool,
        readonly: bool, default?: any}]}
        """

    static let description: ContentDescriptor = """
        description: {\(described), count?: count, properties?: [{name: string, \(described)}],
        nilAt?: EscapedPath, types?: [\(declaredType)]}
        """

    private static let feeds = "[{binding: number, path: string} | {computed: EscapedPath}]"

    private static let component = """
        {path: EscapedPath, kind: Kind, type: string, instance?: number, weak: bool,
        holders: [{path: EscapedPath, weak: bool}], furtherHolders: count}
        """

    private static let lastChange = "{revision: Revision, time?: string, origin?: Origin}"
    private static let layer = "{value: any, origin?: Origin, ends: <connection permanent> | count}"

    private static let reasons = """
        {revision: Revision, steps: [{path: EscapedPath, \(manner), origin?: Origin}], hidden?: number}
        """

    static let explanation: ContentDescriptor = """
        explanation: {path: EscapedPath, revision: Revision, value: any, nilAt?: EscapedPath, type: string,
        kind: Kind, computed: bool, readonly: bool, components: [\(component)],
        lastChange: \(lastChange) | null, observers: {exact: count, below: count, patterns: count},
        feeds: \(feeds), furtherFeeds?: number, fedBy: \(feeds), furtherFedBy?: number,
        lifetimes: [\(layer)], because: \(reasons) | null, hidden?: bool}
        """

    private static let subscription = """
        {subscription: number, paths: [string]+, furtherPaths?: number, tag?: Tag, eventsSent: count}
        """

    static let clients: ContentDescriptor = """
        clients: {clients: [{connection: number, pid: integer, uid: count, name: string | null,
        seconds: finite, requests: count, eventsSent: count, eventsCoalesced: count,
        bytesWaiting: count, lifetimes: count, subscriptions: [\(subscription)],
        furtherSubscriptions: count}]}
        """

    private static let journal = """
        {durability: <commit interval none>, failing: bool, bytes: count, snapshotBytes: count,
        longestSlice: finite, longestSliceWork: finite}
        """

    static let status: ContentDescriptor = """
        status: {version: string, capabilities: [string], epoch: string, revision: Revision, uptime: finite,
        connections: count, subscriptions: count, models: count, bindings: count,
        bindingsFailing: count, bindingWritesFailed: count, eventsSent: count,
        eventsCoalesced: count, overflowed: count, outboxBytes: count,
        limits: {*: {max: number, used?: count}}, journal?: \(journal)}
        """

    static let document: ContentDescriptor = """
        document: {openrpc: string, info: {title: string, version: string, license: {name: string}},
        methods: [object]+, components: object, x-notifications: [object]+}
        """
}
