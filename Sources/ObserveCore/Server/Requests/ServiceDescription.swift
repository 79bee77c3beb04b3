// SPDX-License-Identifier: MIT
// The answer of `rpc.discover`: the table of methods as an OpenRPC document. `docs/protocol.md` has the details.

enum ServiceDescription {
    static func append(to out: ByteBuffer, version: String) {
        func list(_ parts: [String]) -> String { parts.joined(separator: ",") }
        let schemas = schemas.map { #""\#($0.name)":\#(SchemaNotation.json($0.schema))"# }
        let errors = WireError.kinds.map {
            #""\#($0.name)":{"code":\#($0.code.rawValue),"message":"\#($0.message)"}"#
        }
        let notifications = [
            notification("change", "A change of a subscribed path.", change),
            notification("goodbye", "The last line before the daemon closes the connection.", goodbye),
        ]
        out.append("{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"observed\",\"version\":", version)
        out.append(utf8: #","license":{"name":"MIT"}},"methods":[\#(list(Method.all.map(description)))],"#)
        out.append(utf8: #""components":{"schemas":{\#(list(schemas))},"errors":{\#(list(errors))}},"#)
        out.append(utf8: #""x-notifications":[\#(list(notifications))]}"#)
    }

    private static func description(_ method: Method) -> String {
        let params = method.params.map { $0.json() }.joined(separator: ",")
        let references = (Method.commonErrors + method.errors).compactMap { code in
            WireError.kinds.first { $0.code == code }.map {
                ##"{"$ref":"#/components/errors/\##($0.name)"}"##
            }
        }
        return #"{"name":"\#(method.name)","paramStructure":"by-name","summary":"\#(method.summary)","#
            + #""params":[\#(params)],"result":\#(method.result.json(isResult: true)),"#
            + #""errors":[\#(references.joined(separator: ","))]}"#
    }

    private static func notification(_ name: String, _ summary: String, _ params: [ContentDescriptor])
        -> String
    {
        let params = params.map { $0.json() }
        return #"{"name":"\#(name)","paramStructure":"by-name","summary":"\#(summary)","#
            + #""params":[\#(params.joined(separator: ","))]}"#
    }

    // MARK: Components

    private static let schemas: [(name: StaticString, schema: String)] = [
        (
            "EscapedPath",
            #"{"type":"string","description":"Components joined by dots; a backslash makes the next character literal."}"#
        ),
        (
            "Path",
            ##"""
            {"anyOf":[{"$ref":"#/components/schemas/EscapedPath"},\##
            {"type":"array","minItems":1,"items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}],\##
            "description":"A literal path; an array of components always is one."}
            """##
        ),
        (
            "ReadablePath",
            ##"""
            {"anyOf":[{"$ref":"#/components/schemas/Path"},{"type":"string"}],\##
            "description":"A path, or one with a collection operator: @count, @sum, @avg, @min, @max, \##
            @unionOfObjects, @distinctUnionOfObjects."}
            """##
        ),
        (
            "Pattern",
            ##"""
            {"anyOf":[{"$ref":"#/components/schemas/ReadablePath"},{"type":"string"}],\##
            "description":"The same, or a pattern: * is one component, ** at the end is all below."}
            """##
        ),
        ("Revision", "count"),
        ("Tag", #"{"anyOf":[{"type":"string","maxLength":128},{"type":"integer"}]}"#),
        (
            "Lifetime",
            #"{"anyOf":[{"enum":["permanent","connection"]},{"type":"integer","minimum":1}],"default":"permanent"}"#
        ),
        ("Kind", "<null bool int double string array model>"),
        (
            "Origin",
            """
            {pid: integer, uid: count, binding?: number}
            | {lifetime: <connection> | number, binding?: number}
            """
        ),
        ("Written", "{revision: Revision, changed?: bool, \(ContentDescriptor.previewed)}"),
    ]

    private static let change: [ContentDescriptor] = [
        "subscription: number", "tag?: Tag", "time?: string", "path: EscapedPath",
        "reason: <initial valueChanged pathChanged sourceDeleted>", "new?: any", "old?: any", "prior?: bool",
        "kind?: <insertion removal replacement>", "indexes?: [count]", "changedAt?: EscapedPath",
        "nilAt?: EscapedPath", "origin?: Origin", "revision: Revision", "coalesced?: count",
        "truncated?: bool", "more?: bool",
    ]

    private static let goodbye: [ContentDescriptor] = [
        """
        reason: <shutdown upgrade overflow tooManyMatches idle tooManyConnections accessDenied
        accessChanged journalFailed>
        """, "revision?: Revision",
    ]
}
