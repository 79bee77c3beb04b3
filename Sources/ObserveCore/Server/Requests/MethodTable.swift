// SPDX-License-Identifier: MIT
// The table of methods, for dispatch, access, refusals, `capabilities` and `rpc.discover`.

extension Method {
    /// The errors of methods that read a path, and of writes.
    private static let reading: [WireError.Code] = [.notFound, .accessDenied]
    static let writing: [WireError.Code] = [
        .notFound, .typeMismatch, .readOnly, .conflict, .accessDenied, .unavailable,
    ]

    /// The errors of all methods. A batch may exceed a limit with any method.
    static let commonErrors: [WireError.Code] = [.invalidParams, .limitExceeded]

    static let all: [Method] = [
        Method(
            "get",
            "The value at a path, or the values at several paths at one revision.",
            access: .read,
            params: [
                "path?: ReadablePath (This or paths.)", "paths?: [ReadablePath]+",
                "at?: integer (A revision, or a negative number of milliseconds before now.)",
            ],
            result: .value,
            errors: reading
        ),
        .write(
            "set",
            "Assigns a value; an object makes a new model.",
            params: ["value: any", "parents?: bool=false (Makes missing models on the way.)"],
            lifetime: [.lifetime]
        ),
        .write(
            "merge",
            "A JSON Merge Patch (RFC 7396), in place: models keep their identity.",
            params: ["value: any"]
        ),
        .write("remove", "Removes a property, an element, or a root."),
        .write(
            "insert",
            "Inserts an element into an array: a value, or a strong reference to target.",
            targetAccess: .read,
            params: ["value?: any", "target?: Path", "index?: count (The end, if left out.)"],
            errors: [.referenceCycle]
        ),
        .write(
            "increment",
            "Adds to a number; null counts from 0. Beyond min and max, the sum is that bound.",
            params: ["by?: finite=1", "min?: finite", "max?: finite"],
            result: .incremented
        ),
        .write(
            "link",
            "Makes a property refer to the very model that target refers to now.",
            targetAccess: .read,
            params: ["target: Path", "weak?: bool=false"],
            lifetime: [.lifetime],
            errors: [.referenceCycle]
        ),
        Method(
            "transaction",
            "Writes that are one commit, or none: the error's data.operation says which failed.",
            params: ["operations: [operation]+", .dryRun],
            result: .transaction,
            errors: [.methodNotFound] + writing + [.referenceCycle],
            mayCommit: true
        ),
        Method(
            "revert",
            "Gives what a commit changed its former values again: the same models, links and arrays, in a new commit.",
            access: [.read, .write],
            params: [
                "revision: Revision",
                "force?: bool=false (Although some of it has changed again since.)", .dryRun,
            ],
            result: .written,
            errors: [.notFound, .readOnly, .conflict, .accessDenied, .referenceCycle, .unavailable],
            mayCommit: true
        ),
        Method(
            "subscribe",
            "Sends every change at the paths, beginning with the current values.",
            access: .read,
            params: [
                "path?: Pattern (This or paths.)", "paths?: [Pattern]+", "initial?: bool=true",
                "old?: bool=false", "prior?: bool=false", "distinct?: bool=true", "own?: bool=true",
                "origin?: bool=false", "whole?: bool=false (Arrays are sent whole.)",
                "tag?: Tag (Repeated in the answer and in each event.)",
                "delivery?: <latest every>=latest", "throttle?: count=0 (Milliseconds.)",
                "debounce?: count=0 (Milliseconds.)",
                "since?: {epoch: string, revision: Revision, times?: bool}",
            ],
            result: .subscribed,
            errors: reading
        ),
        Method(
            "unsubscribe",
            "Ends a subscription of this connection: none of its events follows the answer.",
            params: ["subscription: integer"],
            result: .nothing,
            errors: [.notFound]
        ),
        Method(
            "bind",
            "Carries the value of source to target, now and after every change.",
            access: .read,
            targetAccess: .write,
            params: ["source: ReadablePath", "target: Path", "twoWay?: bool=false"],
            result: "binding: {binding: number, revision: Revision}",
            errors: [.notFound, .typeMismatch, .readOnly, .accessDenied, .unavailable],
            mayCommit: true
        ),
        Method(
            "unbind",
            "Ends a binding.",
            targetAccess: .write,
            params: ["binding: integer"],
            result: .nothing,
            errors: [.notFound, .accessDenied, .unavailable],
            mayCommit: true
        ),
        Method("bindings", "All bindings.", result: .bindings),
        Method(
            "describe",
            "The value at a path: kind, type, identity, properties. The empty path is the list of roots.",
            access: .read,
            params: [.path, "types?: bool=false (Also the declared types that its values need.)"],
            result: .description,
            errors: reading + [.readOnly]
        ),
        Method(
            "explain",
            "Why a value is what it is: its last change, the references to it, what it feeds and what feeds it.",
            access: .read,
            params: [.path],
            result: .explanation,
            errors: reading + [.readOnly]
        ),
        Method(
            "dump",
            "All roots, or the value at a path, with identity, links and types: in parts.",
            access: .read,
            params: ["path?: Path", "part?: count=0"],
            result: "part: {part: count, revision: Revision, epoch: string, more: bool, text: string}",
            errors: reading + [.readOnly]
        ),
        Method(
            "load",
            "Puts a dump, or plain JSON at a path, into the tree: one commit.",
            access: .write,
            params: ["text: string", "part?: count=0", "last?: bool=true", "path?: Path (For plain JSON.)"],
            result: "loaded: {part: count} | Written",
            errors: [.notFound, .typeMismatch, .readOnly, .accessDenied, .referenceCycle, .unavailable],
            mayCommit: true
        ),
        Method("status", "Version, capabilities, epoch, revision and counts.", result: .status),
        Method(
            "clients",
            "The open connections, for the daemon's own user and root alone.",
            result: .clients,
            errors: [.accessDenied]
        ),
        Method(
            "upgrade",
            "Replaces the daemon by the program that is installed now, for its own user and root alone.",
            result: "upgraded: {version: string}",
            errors: [.accessDenied, .unavailable]
        ),
        Method("rpc.discover", "This document.", result: .document),
        Method("ping", "Answers after the events of all earlier commits.", result: .nothing),
    ]

    /// Further words of `capabilities`: params and features that came after the first version.
    static let features: [StaticString] = [
        "at", "batch", "because", "choices", "computed", "conditions", "debounce", "dryRun", "expressions",
        "lifetime", "operators", "origin", "own", "patterns", "since", "tag", "throttle", "types", "whole",
    ]

    static let capabilities: [String] = (all.map(\.name) + features).map { "\($0)" }.sorted()
}
