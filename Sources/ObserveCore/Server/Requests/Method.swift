// SPDX-License-Identifier: MIT
// A row of the method table: how the hub dispatches, refuses and describes a method.

/// The methods of the protocol, in the order of the document that `rpc.discover` answers with.
enum MethodName: UInt8 {
    case get, set, merge, remove, insert, increment, link, transaction
    case subscribe, unsubscribe, bind, unbind, bindings, describe, dump, load, status, discover, ping

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
        /// The params that the method has.
        let params: ParamNames
        /// The access that the client needs at the param `path` or `source`.
        let access: Access
        /// The access that the client needs at the param `target`, or at the target of a binding.
        let targetAccess: Access
        /// Whether it is a write, and so may be an operation of a transaction.
        let isWrite: Bool
        /// Whether the hub may execute the request again when the journal refuses its batch: it has no effect but
        /// commits.
        let isRepeatable: Bool
    }

    let id: MethodName
    let name: StaticString
    let summary: StaticString
    let params: [MethodParam]
    let result: MethodResult
    /// The names of the errors that the description lists.
    let errors: [WireError.Code]
    let rules: Rules

    init(
        _ id: MethodName,
        _ name: StaticString,
        _ summary: StaticString,
        access: Access = [],
        targetAccess: Access = [],
        params: [MethodParam] = [],
        result: MethodResult,
        errors: [WireError.Code] = [],
        isWrite: Bool = false,
        isRepeatable: Bool = true
    ) {
        self.id = id
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
            isRepeatable: isRepeatable
        )
    }
}

/// A param of a method.
struct MethodParam {
    let name: ParamName
    /// The content descriptor that several methods share.
    private var shared: String?
    private var isRequired = false
    private var schema: Schema = .any
    private var summary: String?

    static func required(_ name: ParamName, _ schema: Schema) -> MethodParam {
        MethodParam(name: name, isRequired: true, schema: schema)
    }

    static func optional(_ name: ParamName, _ schema: Schema, _ summary: String? = nil) -> MethodParam {
        MethodParam(name: name, schema: schema, summary: summary)
    }

    static let path = MethodParam(name: .path, shared: "Path")
    static let ifRevision = MethodParam(name: .ifRevision, shared: "IfRevision")
    static let ifValue = MethodParam(name: .ifValue, shared: "IfValue")
    static let lifetime = MethodParam(name: .lifetime, shared: "Lifetime")

    /// The content descriptor as JSON.
    var descriptor: String {
        if let shared { return ##"{"$ref":"#/components/contentDescriptors/\##(shared)"}"## }
        var text = #"{"name":"\#(name.text)""#
        if isRequired { text += #","required":true"# }
        text += #","schema":\#(schema.text)"#
        if let summary { text += #","summary":"\#(summary)""# }
        return text + "}"
    }
}

/// A JSON schema in the description.
enum Schema: ExpressibleByStringLiteral {
    case literal(String)
    /// A boolean with a default.
    case flag(Bool)
    /// The operations of a transaction: those methods of the table that are writes.
    case operations

    init(stringLiteral text: String) { self = .literal(text) }

    static let any: Schema = "{}"
    static let path: Schema = ##"{"$ref":"#/components/schemas/Path"}"##
    static let readablePath: Schema = ##"{"$ref":"#/components/schemas/ReadablePath"}"##
    static let pattern: Schema = ##"{"$ref":"#/components/schemas/Pattern"}"##
    static let string: Schema = #"{"type":"string"}"#
    /// The number of a subscription or binding.
    static let number: Schema = #"{"type":"integer","minimum":1}"#
    static let index: Schema = #"{"type":"integer","minimum":0}"#
    static let count: Schema = #"{"type":"integer","minimum":0,"default":0}"#

    var text: String {
        switch self {
        case .literal(let text): return text
        case .flag(let value): return #"{"type":"boolean","default":\#(value)}"#
        case .operations:
            let writes = Method.all.filter(\.rules.isWrite).map { "\"\($0.name)\"" }.joined(separator: ",")
            return #"{"type":"array","minItems":1,"items":{"type":"object","required":["method","params"],"#
                + #""properties":{"method":{"enum":[\#(writes)]},"params":{"type":"object"}}}}"#
        }
    }
}

/// The result of a method, as a content descriptor in JSON.
struct MethodResult: ExpressibleByStringLiteral {
    let descriptor: String

    init(stringLiteral text: String) { descriptor = text }

    static let written: MethodResult = ##"{"$ref":"#/components/contentDescriptors/Written"}"##
    static let nothing: MethodResult = ##"{"$ref":"#/components/contentDescriptors/Nothing"}"##

    /// An object with those properties, of which the `required` ones are always there.
    static func object(_ name: String, required: [String], _ properties: String? = nil) -> MethodResult {
        let names = required.map { "\"\($0)\"" }.joined(separator: ",")
        let end = properties.map { #","properties":{\#($0)}}}"# } ?? "}}"
        return MethodResult(
            stringLiteral: #"{"name":"\#(name)","schema":{"type":"object","required":[\#(names)]\#(end)"#
        )
    }
}
