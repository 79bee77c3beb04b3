// SPDX-License-Identifier: MIT
// The answer of `rpc.discover`: the table of methods as an OpenRPC document. `docs/protocol.md` has the details.

/// The OpenRPC document of the protocol, in one line.
enum ServiceDescription {
    static func append(to out: ByteBuffer, version: String) {
        out.append("{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"observed\",\"version\":")
        out.appendJSONString(utf8: version)
        out.append(",\"license\":{\"name\":\"MIT\"}},\"methods\":[")
        for (index, method) in Method.all.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append(utf8: description(of: method))
        }
        out.append("],")
        appendComponents(to: out)
    }

    private static func description(of method: Method) -> String {
        let params = method.params.map(\.descriptor).joined(separator: ",")
        let errors = method.errors.compactMap(\.name).map { ##"{"$ref":"#/components/errors/\##($0)"}"## }
        let end = errors.isEmpty ? "}" : #","errors":[\#(errors.joined(separator: ","))]}"#
        return #"{"name":"\#(method.name)","paramStructure":"by-name","summary":"\#(method.summary)","#
            + #""params":[\#(params)],"result":\#(method.result.descriptor)\#(end)"#
    }

    /// Appends the rest of the document without its line feeds and indentation.
    private static func appendComponents(to out: ByteBuffer) {
        var isIndented = true
        for byte in components.utf8 {
            if byte == 0x0A {
                isIndented = true
            } else if !isIndented || byte != 0x20 {
                isIndented = false
                out.append(byte)
            }
        }
    }

    private static let components = #"""
        "components":{
        "contentDescriptors":{
          "Path":{"name":"path","required":true,"schema":{"$ref":"#/components/schemas/Path"}},
          "IfRevision":{"name":"ifRevision","schema":{"$ref":"#/components/schemas/Revision"},
            "summary":"Only while what get gives is unchanged since then."},
          "IfValue":{"name":"ifValue","schema":{},"summary":"Only while the value, as rendered, equals this."},
          "Lifetime":{"name":"lifetime","schema":{"oneOf":[{"enum":["permanent","connection"]},{"type":"integer","minimum":1}],
            "default":"permanent"},"summary":"With the connection, or so many milliseconds."},
          "Written":{"name":"written","schema":{"type":"object","required":["revision","changed"],"properties":{
            "revision":{"$ref":"#/components/schemas/Revision"},"changed":{"type":"boolean"}}}},
          "Nothing":{"name":"nothing","schema":{"type":"object","maxProperties":0}}},
        "schemas":{
          "EscapedPath":{"type":"string","description":"Components joined by dots; a backslash makes the next character literal."},
          "Path":{"oneOf":[{"$ref":"#/components/schemas/EscapedPath"},
            {"type":"array","items":{"type":["string","integer"]}}],"description":"A literal path; an array of components always is one."},
          "ReadablePath":{"oneOf":[{"$ref":"#/components/schemas/Path"},{"type":"string"}],
            "description":"A path, or one with a collection operator: @count, @sum, @avg, @min, @max, @unionOfObjects, @distinctUnionOfObjects."},
          "Pattern":{"oneOf":[{"$ref":"#/components/schemas/ReadablePath"},{"type":"string"}],
            "description":"The same, or a pattern: * is one component, ** at the end is all below."},
          "Revision":{"type":"integer","minimum":0}},
        "errors":{
          "notFound":{"code":1,"message":"notFound"},"typeMismatch":{"code":2,"message":"typeMismatch"},
          "readOnly":{"code":3,"message":"readOnly"},"conflict":{"code":4,"message":"conflict"},
          "accessDenied":{"code":5,"message":"accessDenied"},"limitExceeded":{"code":6,"message":"limitExceeded"},
          "referenceCycle":{"code":7,"message":"referenceCycle"},"unavailable":{"code":8,"message":"unavailable"}}},
        "x-notifications":[
        {"name":"change","summary":"A change of a subscribed path.","params":[{"name":"subscription","required":true,"schema":{"type":"integer"}},
          {"name":"path","required":true,"schema":{"$ref":"#/components/schemas/EscapedPath"}},
          {"name":"reason","required":true,"schema":{"enum":["initial","valueChanged","pathChanged","sourceDeleted"]}},
          {"name":"new","schema":{}},{"name":"old","schema":{}},{"name":"prior","schema":{"type":"boolean"}},
          {"name":"kind","schema":{"enum":["insertion","removal","replacement"]}},
          {"name":"indexes","schema":{"type":"array","items":{"type":"integer"}}},
          {"name":"changedAt","schema":{"$ref":"#/components/schemas/EscapedPath"}},
          {"name":"nilAt","schema":{"$ref":"#/components/schemas/EscapedPath"}},
          {"name":"origin","schema":{"type":"object"}},
          {"name":"revision","required":true,"schema":{"$ref":"#/components/schemas/Revision"}},
          {"name":"coalesced","schema":{"type":"integer"}},{"name":"truncated","schema":{"type":"boolean"}}]},
        {"name":"goodbye","summary":"The last line before the daemon closes the connection.",
          "params":[{"name":"reason","required":true,"schema":{"type":"string"}}]}]}
        """#
}
