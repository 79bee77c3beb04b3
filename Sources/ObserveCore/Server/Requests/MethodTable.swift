// SPDX-License-Identifier: MIT
// The table of methods, for dispatch, access, refusals, `capabilities` and `rpc.discover`.

extension Method {
    /// The errors of methods that read a path, and of writes.
    private static let reading: [WireError.Code] = [.notFound, .accessDenied]
    private static let writing: [WireError.Code] = [
        .notFound, .typeMismatch, .readOnly, .conflict, .accessDenied, .unavailable,
    ]

    /// The errors of all methods. A batch may exceed a limit with any method.
    static let commonErrors: [WireError.Code] = [.invalidParams, .limitExceeded]

    /// All methods, in the order of ``MethodName``.
    static let all: [Method] = [
        Method(
            "get",
            "The value at a path, or the values at several paths at one revision.",
            access: .read,
            params: [
                .optional(.path, "ReadablePath", "This or paths."), .optional(.paths, "[ReadablePath]+"),
                .optional(.at, "integer", "A revision, or a negative number of milliseconds before now."),
            ],
            result: .value,
            errors: reading
        ),
        Method(
            "set",
            "Assigns a value; an object makes a new model.",
            access: .write,
            params: [
                .path, .required(.value, "any"),
                .optional(.parents, "bool=false", "Makes missing models on the way."), .ifRevision, .ifValue,
                .lifetime, .dryRun,
            ],
            result: .written,
            errors: writing,
            isWrite: true
        ),
        Method(
            "merge",
            "A JSON Merge Patch (RFC 7396), in place: models keep their identity.",
            access: .write,
            params: [.path, .required(.value, "any"), .ifRevision, .ifValue, .dryRun],
            result: .written,
            errors: writing,
            isWrite: true
        ),
        Method(
            "remove",
            "Removes a property, an element, or a root.",
            access: .write,
            params: [.path, .ifRevision, .ifValue, .dryRun],
            result: .written,
            errors: writing,
            isWrite: true
        ),
        Method(
            "insert",
            "Inserts an element into an array: a value, or a strong reference to target.",
            access: .write,
            targetAccess: .read,
            params: [
                .path, .optional(.value, "any"), .optional(.target, "Path"),
                .optional(.index, "count", "The end, if left out."), .ifRevision, .ifValue, .dryRun,
            ],
            result: .written,
            errors: writing + [.referenceCycle],
            isWrite: true
        ),
        Method(
            "increment",
            "Adds to a number; null counts from 0. Beyond min and max, the sum is that bound.",
            access: .write,
            params: [
                .path, .optional(.by, "finite=1"), .optional(.min, "finite"), .optional(.max, "finite"),
                .ifRevision, .ifValue, .dryRun,
            ],
            result: .incremented,
            errors: writing,
            isWrite: true
        ),
        Method(
            "link",
            "Makes a property refer to the very model that target refers to now.",
            access: .write,
            targetAccess: .read,
            params: [
                .path, .required(.target, "Path"), .optional(.weak, "bool=false"), .ifRevision, .ifValue,
                .lifetime, .dryRun,
            ],
            result: .written,
            errors: writing + [.referenceCycle],
            isWrite: true
        ),
        Method(
            "transaction",
            "Writes that are one commit, or none: the error's data.operation says which failed.",
            params: [.required(.operations, "[operation]+"), .dryRun],
            result: .transaction,
            errors: [.methodNotFound] + writing + [.referenceCycle],
            mayCommit: true
        ),
        Method(
            "revert",
            "Gives what a commit changed its former values again: the same models, links and arrays, in a new commit.",
            access: [.read, .write],
            params: [
                .required(.revision, "Revision"),
                .optional(.force, "bool=false", "Although some of it has changed again since."), .dryRun,
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
                .optional(.path, "Pattern", "This or paths."), .optional(.paths, "[Pattern]+"),
                .optional(.initial, "bool=true"), .optional(.old, "bool=false"),
                .optional(.prior, "bool=false"), .optional(.distinct, "bool=true"),
                .optional(.own, "bool=true"), .optional(.origin, "bool=false"),
                .optional(.whole, "bool=false", "Arrays are sent whole."),
                .optional(.tag, "Tag", "Repeated in the answer and in each event."),
                .optional(.delivery, "<latest every>=latest"),
                .optional(.throttle, "count=0", "Milliseconds."),
                .optional(.debounce, "count=0", "Milliseconds."),
                .optional(.since, "{epoch: string, revision: Revision, times?: bool}"),
            ],
            result: .subscribed,
            errors: reading
        ),
        Method(
            "unsubscribe",
            "Ends a subscription of this connection: none of its events follows the answer.",
            params: [.required(.subscription, "integer")],
            result: .nothing,
            errors: [.notFound]
        ),
        Method(
            "bind",
            "Carries the value of source to target, now and after every change.",
            access: .read,
            targetAccess: .write,
            params: [
                .required(.source, "ReadablePath"), .required(.target, "Path"),
                .optional(.twoWay, "bool=false"),
            ],
            result: .bound,
            errors: [.notFound, .typeMismatch, .readOnly, .accessDenied, .unavailable],
            mayCommit: true
        ),
        Method(
            "unbind",
            "Ends a binding.",
            targetAccess: .write,
            params: [.required(.binding, "integer")],
            result: .nothing,
            errors: [.notFound, .accessDenied, .unavailable],
            mayCommit: true
        ),
        Method("bindings", "All bindings.", result: .bindings),
        Method(
            "describe",
            "The value at a path: kind, type, identity, properties. The empty path is the list of roots.",
            access: .read,
            params: [
                .path, .optional(.types, "bool=false", "Also the declared types that its values need."),
            ],
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
            params: [.optional(.path, "Path"), .optional(.part, "count=0")],
            result: .dumped,
            errors: reading + [.readOnly]
        ),
        Method(
            "load",
            "Puts a dump, or plain JSON at a path, into the tree: one commit.",
            access: .write,
            params: [
                .required(.text, "string"), .optional(.part, "count=0"), .optional(.last, "bool=true"),
                .optional(.path, "Path", "For plain JSON."),
            ],
            result: .loaded,
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
            result: .upgraded,
            errors: [.accessDenied, .unavailable]
        ),
        Method("rpc.discover", "This document.", result: .document),
        Method("ping", "Answers after the events of all earlier commits.", result: .nothing),
    ]

    /// Further words of `capabilities`: params and features that came after the first version.
    static let features: [StaticString] = [
        "at", "batch", "because", "choices", "computed", "conditions", "debounce", "dryRun", "expressions",
        "lifetime",
        "operators",
        "origin", "own", "patterns",
        "since", "tag", "throttle", "types", "whole",
    ]

    /// The words of `capabilities`, sorted.
    static let capabilities: [String] = (all.map(\.name) + features).map { "\($0)" }
        .sorted()
}
