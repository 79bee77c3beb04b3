// SPDX-License-Identifier: MIT
// A row of the method table: how the hub dispatches, refuses and describes a method.

/// The methods of the protocol, in the order of the document that `rpc.discover` answers with.
enum MethodName: UInt8 {
    case get, set, merge, remove, insert, increment, link, transaction, revert
    case subscribe, unsubscribe, bind, unbind, bindings, describe, explain, dump, load, status, clients,
        upgrade, discover, ping

    /// Nil if the protocol lacks the method.
    @inline(__always)
    init?(_ name: ByteView) {
        if name == "set" {
            self = .set
        } else if let found = MethodName.find(name) {
            self = found
        } else {
            return nil
        }
    }

    @inline(never)
    private static func find(_ name: ByteView) -> MethodName? {
        for index in Method.all.indices where name == Method.all[index].name {
            return MethodName(rawValue: UInt8(truncatingIfNeeded: index))
        }
        return nil
    }

    /// The method's rules in the table.
    @inline(__always)
    var rules: Method.Rules { Method.all[Int(rawValue)].rules }
}

/// One method of the protocol.
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
    let params: [MethodParam]
    let result: MethodResult
    /// The errors with which it may refuse a request, besides those of every method.
    let errors: [WireError.Code]
    let rules: Rules

    init(
        _ name: StaticString,
        _ summary: StaticString,
        access: Access = [],
        targetAccess: Access = [],
        params: [MethodParam] = [],
        result: MethodResult,
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
        for param in params { names.insert(param.name) }
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
        params: [MethodParam] = [],
        lifetime: [MethodParam] = [],
        result: MethodResult = .written,
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

/// A param of a method.
///
/// As a literal: `name: schema`, with a question mark behind the name of an optional one. A summary may follow in parentheses.
struct MethodParam: ExpressibleByStringLiteral {
    let name: ParamName
    /// See ``SchemaNotation``.
    let schema: String
    let isRequired: Bool
    private let summary: String?

    static let path: MethodParam = "path: Path"
    static let ifRevision: MethodParam =
        "ifRevision?: Revision (Only while the result of get is unchanged since then.)"
    static let ifValue: MethodParam = "ifValue?: any (Only while the value, as rendered, equals this.)"
    static let dryRun: MethodParam = "dryRun?: bool=false (Changes nothing, and says what would change.)"
    static let lifetime: MethodParam = "lifetime?: Lifetime (With the connection, or so many milliseconds.)"

    init(stringLiteral text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        let described = parts[1].dropFirst().split(separator: " (", maxSplits: 1)
        isRequired = parts[0].last != "?"
        schema = String(described[0])
        summary = described.count > 1 ? String(described[1].dropLast()) : nil
        let known = ByteView.with(String(parts[0].prefix { $0 != "?" })) { text in
            ParamName.allCases.first { text == $0.text }
        }
        guard let known else { preconditionFailure("no method has the param \(text)") }
        name = known
    }

    /// The content descriptor as JSON.
    var descriptor: String {
        SchemaNotation.Member(
            name: "\(name.text)",
            isRequired: isRequired,
            schema: SchemaNotation.json(schema)
        ).descriptor(summary)
    }
}
