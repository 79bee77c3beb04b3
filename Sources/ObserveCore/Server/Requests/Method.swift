// SPDX-License-Identifier: MIT
// A row of the method table: how the hub dispatches, refuses and describes a method.

/// The methods of the protocol, in the order of the document that `rpc.discover` answers with.
enum MethodName: UInt8 {
    case get, set, merge, remove, insert, increment, link, transaction, revert
    case subscribe, unsubscribe, bind, unbind, bindings, describe, explain, dump, load, status, clients,
        upgrade, discover, ping

    @inline(__always) init?(_ name: ByteView) {
        guard let found = name == "set" ? .set : MethodName.find(name) else { return nil }
        self = found
    }

    @inline(never) private static func find(_ name: ByteView) -> MethodName? {
        Method.all.firstIndex { name == $0.name }.flatMap { MethodName(rawValue: UInt8($0)) }
    }

    @inline(__always) var rules: Method.Rules { Method.all[Int(rawValue)].rules }
}

struct Method {
    /// The part of a row that dispatch reads.
    struct Rules {
        let params: ParamNames
        /// The access that the client needs at the param `path` or `source`.
        let access: Access
        /// The access that the client needs at the param `target`, or at the target of a binding.
        let targetAccess: Access
        /// Whether it is a write, and so may be an operation of a transaction.
        let isWrite: Bool
        /// Whether it may change the state, so that the hub executes it for a client that has gone.
        let mayCommit: Bool
    }

    let name: StaticString
    let summary: StaticString
    let params: [ContentDescriptor]
    let result: ContentDescriptor
    /// The errors with which it may refuse a request, besides those of every method.
    let errors: [WireError.Code]
    let rules: Rules

    init(
        _ name: StaticString,
        _ summary: StaticString,
        access: Access = [],
        targetAccess: Access = [],
        params: [ContentDescriptor] = [],
        result: ContentDescriptor,
        errors: [WireError.Code] = [],
        isWrite: Bool = false,
        mayCommit: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.params = params
        self.result = result
        self.errors = errors
        var names = ParamNames()
        for param in params {
            guard let name = ByteView.with(param.name, { ParamName($0) })
            else { preconditionFailure("no method has the param \(param.name)") }
            names.insert(name)
        }
        rules = Rules(
            params: names,
            access: access,
            targetAccess: targetAccess,
            isWrite: isWrite,
            mayCommit: isWrite || mayCommit
        )
    }

    /// A write, which may have a condition.
    static func write(
        _ name: StaticString,
        _ summary: StaticString,
        targetAccess: Access = [],
        params: [ContentDescriptor] = [],
        lifetime: [ContentDescriptor] = [],
        result: ContentDescriptor = .written,
        errors: [WireError.Code] = []
    ) -> Method {
        Method(
            name,
            summary,
            access: .write,
            targetAccess: targetAccess,
            params: [.path] + params + [.ifRevision, .ifValue] + lifetime + [.dryRun],
            result: result,
            errors: writing + errors,
            isWrite: true
        )
    }
}

/// A param or the result of a method, or a member of a notification.
///
/// As a literal: `name: schema`, with a question mark behind the name of an optional one. A summary may follow in parentheses.
struct ContentDescriptor: ExpressibleByStringInterpolation {
    let name: String
    let schema: String
    let isRequired: Bool
    private let summary: String?

    init(stringLiteral text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let described = parts[1].dropFirst().split(separator: " (", maxSplits: 1)
        name = String(parts[0].prefix { $0 != "?" })
        schema = String(described[0])
        isRequired = parts[0].last != "?"
        summary = described.count > 1 ? String(described[1].dropLast()) : nil
    }

    /// As JSON. A result is not said to be required.
    func json(isResult: Bool = false) -> String {
        let required = isRequired && !isResult ? #","required":true"# : ""
        let end = summary.map { #","summary":"\#($0)""# } ?? ""
        return #"{"name":"\#(name)"\#(required),"schema":\#(SchemaNotation.json(schema))\#(end)}"#
    }
}

extension ContentDescriptor {
    static let path: ContentDescriptor = "path: Path"
    static let ifRevision: ContentDescriptor =
        "ifRevision?: Revision (Only while the result of get is unchanged since then.)"
    static let ifValue: ContentDescriptor = "ifValue?: any (Only while the value, as rendered, equals this.)"
    static let dryRun: ContentDescriptor =
        "dryRun?: bool=false (Changes nothing, and says what would change.)"
    static let lifetime: ContentDescriptor =
        "lifetime?: Lifetime (With the connection, or so many milliseconds.)"
}
