// SPDX-License-Identifier: MIT
// JSON schemas in the answer of `rpc.discover`, as text. Independent of methods.

/// A JSON schema. Objects are closed: a member without a schema is not valid.
enum Schema: ExpressibleByStringLiteral {
    case literal(String)
    /// The operations of a transaction: those methods of the table that are writes.
    case operations

    init(stringLiteral text: String) { self = .literal(text) }

    /// A member of an object.
    struct Member {
        let name: StaticString
        let schema: Schema
        let isRequired: Bool

        static func always(_ name: StaticString, _ schema: Schema) -> Member {
            Member(name: name, schema: schema, isRequired: true)
        }

        static func sometimes(_ name: StaticString, _ schema: Schema) -> Member {
            Member(name: name, schema: schema, isRequired: false)
        }
    }

    // MARK: Compound schemas

    static func object(_ members: Member...) -> Schema { object(members) }

    static func object(_ members: [Member]) -> Schema {
        let required = members.filter(\.isRequired).map { "\"\($0.name)\"" }
        let properties = members.map { "\"\($0.name)\":\($0.schema.text)" }.joined(separator: ",")
        let names = required.isEmpty ? "" : #""required":[\#(required.joined(separator: ","))],"#
        return .literal(
            #"{"type":"object",\#(names)"properties":{\#(properties)},"additionalProperties":false}"#
        )
    }

    static func array(_ element: Schema) -> Schema { .literal(#"{"type":"array","items":\#(element.text)}"#) }

    static func list(_ element: Schema) -> Schema {
        .literal(#"{"type":"array","minItems":1,"items":\#(element.text)}"#)
    }

    static func either(_ schemas: Schema...) -> Schema { either(schemas) }

    static func either(_ schemas: [Schema]) -> Schema {
        .literal(#"{"anyOf":[\#(schemas.map(\.text).joined(separator: ","))]}"#)
    }

    static func words(_ words: StaticString...) -> Schema {
        .literal(#"{"enum":[\#(words.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
    }

    /// A boolean with a default.
    static func flag(_ fallback: Bool) -> Schema { .literal(#"{"type":"boolean","default":\#(fallback)}"#) }

    private static func component(_ name: StaticString) -> Schema {
        .literal(##"{"$ref":"#/components/schemas/\##(name)"}"##)
    }

    // MARK: Common schemas

    static let any: Schema = "{}"
    static let bool: Schema = #"{"type":"boolean"}"#
    static let string: Schema = #"{"type":"string"}"#
    static let finite: Schema = #"{"type":"number"}"#
    static let integer: Schema = #"{"type":"integer"}"#
    /// The number of a subscription, binding or model.
    static let number: Schema = #"{"type":"integer","minimum":1}"#
    static let count: Schema = #"{"type":"integer","minimum":0}"#
    static let countOrZero: Schema = #"{"type":"integer","minimum":0,"default":0}"#

    static let path = component("Path")
    static let escapedPath = component("EscapedPath")
    static let readablePath = component("ReadablePath")
    static let observedPath = component("Pattern")
    static let revision = component("Revision")
    static let tag = component("Tag")
    static let lifetime = component("Lifetime")
    static let kind = component("Kind")
    static let origin = component("Origin")
    static let written = component("Written")

    // MARK: Text

    var text: String {
        switch self {
        case .literal(let text): return text
        case .operations:
            return Schema.list(.either(Method.all.filter(\.rules.isWrite).map(Schema.operation))).text
        }
    }

    private static func operation(_ method: Method) -> Schema {
        // The transaction has it for all.
        let params = method.params.filter { $0.name != .dryRun }.map {
            Member(name: $0.name.text, schema: $0.schema, isRequired: $0.isRequired)
        }
        return object(.always("method", words(method.name)), .always("params", object(params)))
    }
}
