// SPDX-License-Identifier: MIT
// The schemas of results in the answer of `rpc.discover`. Independent of how the hub makes the results.

extension MethodResult {
    static let value = MethodResult(
        name: "value",
        schema: .either(
            .object(
                .always("value", .any),
                .sometimes("nilAt", .escapedPath),
                .always("revision", .revision)
            ),
            .object(
                .always(
                    "values",
                    .list(.object(.always("value", .any), .sometimes("nilAt", .escapedPath)))
                ),
                .always("revision", .revision)
            )
        )
    )

    private static let outcome: [Schema.Member] = [
        .always("revision", .revision),
        .sometimes("changed", .bool),
        .sometimes("value", .finite),
    ]

    /// How a property changed, besides by an assignment.
    static let manner: [Schema.Member] = [
        .sometimes("binding", .number), .sometimes("computed", .bool), .sometimes("released", .bool),
    ]

    /// What a dry run adds to the result of a write.
    static let previewed: [Schema.Member] = [
        .sometimes(
            "changes",
            .array(
                .object([.always("path", .escapedPath), .always("old", .any), .always("new", .any)] + manner)
            )
        ),
        .sometimes("furtherChanges", .number),
        .sometimes(
            "failing",
            .array(
                .object(
                    .always("binding", .number),
                    .always("path", .escapedPath),
                    .always("message", .string)
                )
            )
        ),
        .sometimes("furtherFailing", .number),
        .sometimes("hidden", .number),
    ]

    static let incremented = MethodResult(name: "written", schema: .object(outcome + previewed))

    static let transaction = MethodResult(
        name: "written",
        schema: .object(
            [
                .always("revision", .revision),
                .sometimes("changed", .bool),
                .always("results", .list(.object(outcome))),
            ] + previewed
        )
    )

    static let subscribed = MethodResult(
        name: "subscription",
        schema: .object(
            .always("subscription", .number),
            .sometimes("tag", .tag),
            .always("revision", .revision),
            .always("epoch", .string),
            .always("initial", .count),
            .always("resumed", .bool),
            .sometimes("replayed", .count)
        )
    )

    static let bound = MethodResult(
        name: "binding",
        schema: .object(.always("binding", .number), .always("revision", .revision))
    )

    static let bindings = MethodResult(
        name: "bindings",
        schema: .object(
            .always(
                "bindings",
                .array(
                    .object(
                        .always("binding", .number),
                        .always("source", .escapedPath),
                        .always("target", .escapedPath),
                        .always("twoWay", .bool),
                        .always("failing", .bool),
                        .sometimes("message", .string)
                    )
                )
            ),
            .sometimes("furtherBindings", .count)
        )
    )

    /// The members of every description.
    private static let described: [Schema.Member] = [
        .always("kind", .kind),
        .always("type", .string),
        .sometimes("instance", .number),
        .always("weak", .bool),
        .always("computed", .bool),
        .always("readonly", .bool),
    ]

    /// A declared type.
    private static let declaredType = Schema.object(
        .always("name", .string),
        .always(
            "properties",
            .array(
                .object(
                    .always("name", .string),
                    .always("type", .string),
                    .always("weak", .bool),
                    .always("computed", .bool),
                    .always("readonly", .bool),
                    .sometimes("default", .any)
                )
            )
        )
    )

    static let description = MethodResult(
        name: "description",
        schema: .object(
            described + [
                .sometimes("count", .count),
                .sometimes("properties", .array(.object([.always("name", .string)] + described))),
                .sometimes("nilAt", .escapedPath),
                .sometimes("types", .array(declaredType)),
            ]
        )
    )

    /// What a property feeds, or is fed by.
    private static let feeds = Schema.array(
        .either(
            .object(.always("binding", .number), .always("path", .string)),
            .object(.always("computed", .escapedPath))
        )
    )

    private static let component = Schema.object(
        .always("path", .escapedPath),
        .always("kind", .kind),
        .always("type", .string),
        .sometimes("instance", .number),
        .always("weak", .bool),
        .always("holders", .array(.object(.always("path", .escapedPath), .always("weak", .bool)))),
        .always("furtherHolders", .count)
    )

    static let explanation = MethodResult(
        name: "explanation",
        schema: .object(
            .always("path", .escapedPath),
            .always("revision", .revision),
            .always("value", .any),
            .sometimes("nilAt", .escapedPath),
            .always("type", .string),
            .always("kind", .kind),
            .always("computed", .bool),
            .always("readonly", .bool),
            .always("components", .array(component)),
            .always("lastChange", .either(lastChange, #"{"type":"null"}"#)),
            .always(
                "observers",
                .object(.always("exact", .count), .always("below", .count), .always("patterns", .count))
            ),
            .always("feeds", feeds),
            .sometimes("furtherFeeds", .number),
            .always("fedBy", feeds),
            .sometimes("furtherFedBy", .number),
            .always("lifetimes", .array(lifetime)),
            .always("because", .either(reasons, #"{"type":"null"}"#)),
            .sometimes("hidden", .bool)
        )
    )

    private static let reasons = Schema.object(
        .always("revision", .revision),
        .always(
            "steps",
            .array(.object([.always("path", .escapedPath)] + manner + [.sometimes("origin", .origin)]))
        ),
        .sometimes("hidden", .number)
    )

    private static let lastChange = Schema.object(
        .always("revision", .revision),
        .sometimes("time", .string),
        .sometimes("origin", .origin)
    )

    private static let lifetime = Schema.object(
        .always("value", .any),
        .sometimes("origin", .origin),
        .always("ends", .either(.words("connection", "permanent"), .count))
    )

    static let dumped = MethodResult(
        name: "part",
        schema: .object(
            .always("part", .count),
            .always("revision", .revision),
            .always("epoch", .string),
            .always("more", .bool),
            .always("text", .string)
        )
    )

    static let loaded = MethodResult(
        name: "loaded",
        schema: .either(.object(.always("part", .count)), .written)
    )

    static let clients = MethodResult(
        name: "clients",
        schema: .object(
            .always(
                "clients",
                .array(
                    .object(
                        .always("connection", .number),
                        .always("pid", .integer),
                        .always("uid", .count),
                        .always("name", .either(.string, #"{"type":"null"}"#)),
                        .always("seconds", .finite),
                        .always("requests", .count),
                        .always("eventsSent", .count),
                        .always("eventsCoalesced", .count),
                        .always("bytesWaiting", .count),
                        .always("lifetimes", .count),
                        .always("subscriptions", .array(subscription)),
                        .always("furtherSubscriptions", .count)
                    )
                )
            )
        )
    )

    private static let subscription = Schema.object(
        .always("subscription", .number),
        .always("paths", .list(.string)),
        .sometimes("furtherPaths", .number),
        .sometimes("tag", .tag),
        .always("eventsSent", .count)
    )

    /// A limit, or its use.
    private static let limit = Schema.object(.always("max", .number), .sometimes("used", .count))

    static let upgraded = MethodResult(name: "upgraded", schema: .object(.always("version", .string)))

    static let status = MethodResult(
        name: "status",
        schema: .object(
            .always("version", .string),
            .always("capabilities", .array(.string)),
            .always("epoch", .string),
            .always("revision", .revision),
            .always("uptime", .finite),
            .always("connections", .count),
            .always("subscriptions", .count),
            .always("models", .count),
            .always("bindings", .count),
            .always("bindingsFailing", .count),
            .always("bindingWritesFailed", .count),
            .always("eventsSent", .count),
            .always("eventsCoalesced", .count),
            .always("overflowed", .count),
            .always("outboxBytes", .count),
            .always("limits", limits),
            .sometimes("journal", journal)
        )
    )

    private static let limits: Schema = .literal(
        #"{"type":"object","additionalProperties":\#(limit.text)}"#
    )

    private static let journal = Schema.object(
        .always("durability", .words("commit", "interval", "none")),
        .always("failing", .bool),
        .always("bytes", .count),
        .always("snapshotBytes", .count),
        .always("longestSlice", .finite),
        .always("longestSliceWork", .finite)
    )

    static let document = MethodResult(
        name: "document",
        schema: .object(
            .always("openrpc", .string),
            .always(
                "info",
                .object(
                    .always("title", .string),
                    .always("version", .string),
                    .always("license", .object(.always("name", .string)))
                )
            ),
            .always("methods", .list(#"{"type":"object"}"#)),
            .always("components", #"{"type":"object"}"#),
            .always("x-notifications", .list(#"{"type":"object"}"#))
        )
    )
}
