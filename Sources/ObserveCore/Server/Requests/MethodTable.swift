// SPDX-License-Identifier: MIT
// The table of methods, for dispatch, access, refusals, `capabilities` and `rpc.discover`.

extension Method {
    /// All methods, in the order of ``MethodName``.
    static let all: [Method] = [
        Method(
            .get,
            "get",
            "The value at a path, or the values at several paths at one revision.",
            access: .read,
            params: [
                .optional(.path, .readablePath, "This or paths."),
                .optional(
                    .paths,
                    ##"{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/ReadablePath"}}"##
                ),
            ],
            result: .object(
                "value",
                required: ["revision"],
                ##"""
                "value":{},"nilAt":{"$ref":"#/components/schemas/EscapedPath"},\##
                "values":{"type":"array","items":{"type":"object","required":["value"],\##
                "properties":{"value":{},"nilAt":{"$ref":"#/components/schemas/EscapedPath"}}}},\##
                "revision":{"$ref":"#/components/schemas/Revision"}
                """##
            )
        ),
        Method(
            .set,
            "set",
            "Assigns a value; an object makes a new model.",
            access: .write,
            params: [
                .path,
                .required(.value, .any),
                .optional(.parents, .flag(false), "Makes missing models on the way."),
                .ifRevision,
                .ifValue,
                .lifetime,
            ],
            result: .written,
            errors: [.notFound, .typeMismatch, .readOnly, .conflict, .limitExceeded, .unavailable],
            isWrite: true
        ),
        Method(
            .merge,
            "merge",
            "A JSON Merge Patch (RFC 7396), in place: models keep their identity.",
            access: .write,
            params: [.path, .required(.value, .any), .ifRevision, .ifValue],
            result: .written,
            isWrite: true
        ),
        Method(
            .remove,
            "remove",
            "Removes a property, an element, or a root.",
            access: .write,
            params: [.path, .ifRevision, .ifValue],
            result: .written,
            isWrite: true
        ),
        Method(
            .insert,
            "insert",
            "Inserts an element into an array: a value, or a strong reference to target.",
            access: .write,
            targetAccess: .read,
            params: [
                .path,
                .optional(.value, .any),
                .optional(.target, .path),
                .optional(.index, .index, "The end, if left out."),
                .ifRevision,
                .ifValue,
            ],
            result: .written,
            isWrite: true
        ),
        Method(
            .increment,
            "increment",
            "Adds to a number; null counts from 0.",
            access: .write,
            params: [.path, .optional(.by, #"{"type":"number","default":1}"#), .ifRevision, .ifValue],
            result: .object(
                "written",
                required: ["revision", "changed"],
                ##"""
                "revision":{"$ref":"#/components/schemas/Revision"},"changed":{"type":"boolean"},\##
                "value":{"type":"number"}
                """##
            ),
            isWrite: true
        ),
        Method(
            .link,
            "link",
            "Makes a property refer to the very model that target refers to now.",
            access: .write,
            targetAccess: .read,
            params: [
                .path,
                .required(.target, .path),
                .optional(.weak, .flag(false)),
                .ifRevision,
                .ifValue,
                .lifetime,
            ],
            result: .written,
            errors: [.notFound, .typeMismatch, .referenceCycle],
            isWrite: true
        ),
        Method(
            .transaction,
            "transaction",
            "Writes that are one commit, or none: the error's data.operation says which failed.",
            params: [.required(.operations, .operations)],
            result: .object(
                "written",
                required: ["revision", "changed", "results"],
                ##"""
                "revision":{"$ref":"#/components/schemas/Revision"},"changed":{"type":"boolean"},\##
                "results":{"type":"array"}
                """##
            )
        ),
        Method(
            .subscribe,
            "subscribe",
            "Sends every change at the paths, beginning with the current values.",
            access: .read,
            params: [
                .optional(.path, .pattern, "This or paths."),
                .optional(.paths, ##"{"type":"array","items":{"$ref":"#/components/schemas/Pattern"}}"##),
                .optional(.initial, .flag(true)),
                .optional(.old, .flag(false)),
                .optional(.prior, .flag(false)),
                .optional(.distinct, .flag(true)),
                .optional(.own, .flag(true)),
                .optional(.origin, .flag(false)),
                .optional(.whole, .flag(false), "Arrays are sent whole."),
                .optional(
                    .tag,
                    #"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#,
                    "Repeated in the answer and in each event."
                ),
                .optional(.delivery, #"{"enum":["latest","every"],"default":"latest"}"#),
                .optional(.throttle, .count, "Milliseconds."),
                .optional(.debounce, .count, "Milliseconds."),
                .optional(
                    .since,
                    ##"{"type":"object","required":["epoch","revision"],"properties":{"epoch":{"type":"string"},"revision":{"$ref":"#/components/schemas/Revision"}}}"##
                ),
            ],
            result: .object(
                "subscription",
                required: ["subscription", "revision", "epoch", "resumed"],
                ##"""
                "subscription":{"type":"integer","minimum":1},"tag":{},\##
                "revision":{"$ref":"#/components/schemas/Revision"},"epoch":{"type":"string"},\##
                "initial":{"type":"integer"},"replayed":{"type":"integer"},\##
                "resumed":{"type":"boolean"}
                """##
            ),
            isRepeatable: false
        ),
        Method(
            .unsubscribe,
            "unsubscribe",
            "Ends a subscription of this connection: none of its events follows the answer.",
            params: [.required(.subscription, .number)],
            result: .nothing,
            isRepeatable: false
        ),
        Method(
            .bind,
            "bind",
            "Carries the value of source to target, now and after every change.",
            access: .read,
            targetAccess: .write,
            params: [
                .required(.source, .readablePath),
                .required(.target, .path),
                .optional(.twoWay, .flag(false)),
            ],
            result: .object(
                "binding",
                required: ["binding", "revision"],
                ##"""
                "binding":{"type":"integer","minimum":1},\##
                "revision":{"$ref":"#/components/schemas/Revision"}
                """##
            )
        ),
        Method(
            .unbind,
            "unbind",
            "Ends a binding.",
            targetAccess: .write,
            params: [.required(.binding, .number)],
            result: .nothing,
            isRepeatable: false
        ),
        Method(
            .bindings,
            "bindings",
            "All bindings.",
            result: .object(
                "bindings",
                required: ["bindings"],
                #"""
                "bindings":{"type":"array","items":{"type":"object","required":["binding","source",\#
                "target","twoWay","failing"]}}
                """#
            )
        ),
        Method(
            .describe,
            "describe",
            "What is at a path: kind, type, identity, properties. The empty path is the list of roots.",
            access: .read,
            params: [.required(.path, .path)],
            result: .object(
                "description",
                required: ["kind"],
                #"""
                "kind":{"enum":["null","bool","int","double","string","array","model"]},\#
                "type":{"type":"string"},"instance":{"type":"integer"},"weak":{"type":"boolean"},\#
                "computed":{"type":"boolean"},"readonly":{"type":"boolean"},\#
                "count":{"type":"integer"},"properties":{"type":"array","items":{"type":"object",\#
                "required":["name","kind"]}}
                """#
            )
        ),
        Method(
            .dump,
            "dump",
            "All roots, or what is at a path, with identity, links and types: in parts.",
            access: .read,
            params: [.optional(.path, .path), .optional(.part, .count)],
            result: .object(
                "part",
                required: ["part", "revision", "epoch", "more", "text"],
                ##"""
                "part":{"type":"integer"},"revision":{"$ref":"#/components/schemas/Revision"},\##
                "epoch":{"type":"string"},"more":{"type":"boolean"},"text":{"type":"string"}
                """##
            ),
            isRepeatable: false
        ),
        Method(
            .load,
            "load",
            "Puts a dump, or plain JSON at a path, into the tree: one commit.",
            access: .write,
            params: [
                .required(.text, .string),
                .optional(.part, .count),
                .optional(.last, .flag(true)),
                .optional(.path, .path, "For plain JSON."),
            ],
            result: #"{"name":"loaded","schema":{"type":"object"}}"#,
            isRepeatable: false
        ),
        Method(
            .status,
            "status",
            "Version, capabilities, epoch, revision and counts.",
            result: .object(
                "status",
                required: ["version", "capabilities", "epoch", "revision"],
                ##"""
                "version":{"type":"string"},"capabilities":{"type":"array",\##
                "items":{"type":"string"}},"epoch":{"type":"string"},\##
                "revision":{"$ref":"#/components/schemas/Revision"},"uptime":{"type":"number"}
                """##
            )
        ),
        Method(
            .discover,
            "rpc.discover",
            "This document.",
            result: .object(
                "document",
                required: ["openrpc", "info", "methods"]
            )
        ),
        Method(.ping, "ping", "Answers after the events of all earlier commits.", result: .nothing),
    ]

    /// Further words of `capabilities`: params and features that came after the first version.
    static let features: [StaticString] = [
        "batch", "computed", "debounce", "lifetime", "operators", "origin", "own", "patterns", "since",
        "tag", "throttle", "types", "whole",
    ]

    /// The words of `capabilities`, sorted.
    static let capabilities: [String] = (all.map(\.name) + features).map { "\($0)" }
        .sorted()
}
