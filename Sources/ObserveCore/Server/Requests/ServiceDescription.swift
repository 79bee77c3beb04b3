// SPDX-License-Identifier: MIT
// What `rpc.discover` answers: the methods, their params and results, in OpenRPC's words. `docs/protocol.md` says the rest.

/// The OpenRPC document of the protocol, written for people; sent as one line.
enum ServiceDescription {
    static func append(to out: ByteBuffer, version: String) {
        out.append("{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"observed\",\"version\":")
        out.appendJSONString(utf8: version)
        out.append(",\"license\":{\"name\":\"MIT\"}},")
        var isIndented = true
        for byte in document.utf8 {
            if byte == 0x0A {
                isIndented = true
            } else if !isIndented || byte != 0x20 {
                isIndented = false
                out.append(byte)
            }
        }
    }

    private static let document = #"""
        "methods":[
        {"name":"get","paramStructure":"by-name","summary":"The value at a path.",
          "params":[{"name":"path","required":true,"schema":{"$ref":"#/components/schemas/ReadablePath"}}],
          "result":{"name":"value","schema":{"type":"object","required":["value","revision"],"properties":{"value":{},
            "revision":{"$ref":"#/components/schemas/Revision"},"nilAt":{"$ref":"#/components/schemas/EscapedPath"}}}}},
        {"name":"set","paramStructure":"by-name","summary":"Assigns a value; an object makes a new model.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},
            {"name":"value","required":true,"schema":{}},
            {"name":"parents","schema":{"type":"boolean","default":false},"summary":"Makes missing models on the way."},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"},
            {"$ref":"#/components/contentDescriptors/Lifetime"}],
          "result":{"$ref":"#/components/contentDescriptors/Written"},"errors":[{"$ref":"#/components/errors/notFound"},
            {"$ref":"#/components/errors/typeMismatch"},{"$ref":"#/components/errors/readOnly"},
            {"$ref":"#/components/errors/conflict"},{"$ref":"#/components/errors/limitExceeded"},
            {"$ref":"#/components/errors/unavailable"}]},
        {"name":"merge","paramStructure":"by-name","summary":"A JSON Merge Patch (RFC 7396), in place: models keep their identity.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},{"name":"value","required":true,"schema":{}},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"}],
          "result":{"$ref":"#/components/contentDescriptors/Written"}},
        {"name":"remove","paramStructure":"by-name","summary":"Removes a property, an element, or a root.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"}],
          "result":{"$ref":"#/components/contentDescriptors/Written"}},
        {"name":"insert","paramStructure":"by-name","summary":"Inserts an element into an array: a value, or a strong reference to target.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},{"name":"value","schema":{}},
            {"name":"target","schema":{"$ref":"#/components/schemas/Path"}},
            {"name":"index","schema":{"type":"integer","minimum":0},"summary":"The end, if left out."},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"}],
          "result":{"$ref":"#/components/contentDescriptors/Written"}},
        {"name":"increment","paramStructure":"by-name","summary":"Adds to a number; null counts from 0.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},{"name":"by","schema":{"type":"number","default":1}},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"}],
          "result":{"name":"written","schema":{"type":"object","required":["revision","changed"],"properties":{
            "revision":{"$ref":"#/components/schemas/Revision"},"changed":{"type":"boolean"},"value":{"type":"number"}}}}},
        {"name":"link","paramStructure":"by-name","summary":"Makes a property refer to the very model that target refers to now.",
          "params":[{"$ref":"#/components/contentDescriptors/Path"},
            {"name":"target","required":true,"schema":{"$ref":"#/components/schemas/Path"}},
            {"name":"weak","schema":{"type":"boolean","default":false}},
            {"$ref":"#/components/contentDescriptors/IfRevision"},{"$ref":"#/components/contentDescriptors/IfValue"},
            {"$ref":"#/components/contentDescriptors/Lifetime"}],
          "result":{"$ref":"#/components/contentDescriptors/Written"},"errors":[{"$ref":"#/components/errors/notFound"},
            {"$ref":"#/components/errors/typeMismatch"},{"$ref":"#/components/errors/referenceCycle"}]},
        {"name":"transaction","paramStructure":"by-name","summary":"Writes that are one commit, or none: the error's data.operation says which failed.",
          "params":[{"name":"operations","required":true,"schema":{"type":"array","minItems":1,"items":{"type":"object",
            "required":["method","params"],"properties":{"method":{"enum":["set","merge","remove","insert","increment","link"]},
            "params":{"type":"object"}}}}}],
          "result":{"name":"written","schema":{"type":"object","required":["revision","changed","results"],"properties":{
            "revision":{"$ref":"#/components/schemas/Revision"},"changed":{"type":"boolean"},"results":{"type":"array"}}}}},
        {"name":"subscribe","paramStructure":"by-name","summary":"Tells of every change at the paths, from the values now on.",
          "params":[{"name":"path","schema":{"$ref":"#/components/schemas/Pattern"},"summary":"This or paths."},
            {"name":"paths","schema":{"type":"array","items":{"$ref":"#/components/schemas/Pattern"}}},
            {"name":"initial","schema":{"type":"boolean","default":true}},
            {"name":"old","schema":{"type":"boolean","default":false}},
            {"name":"prior","schema":{"type":"boolean","default":false}},
            {"name":"distinct","schema":{"type":"boolean","default":true}},
            {"name":"own","schema":{"type":"boolean","default":true}},
            {"name":"origin","schema":{"type":"boolean","default":false}},
            {"name":"delivery","schema":{"enum":["latest","every"],"default":"latest"}},
            {"name":"throttle","schema":{"type":"integer","minimum":0,"default":0},"summary":"Milliseconds."},
            {"name":"debounce","schema":{"type":"integer","minimum":0,"default":0},"summary":"Milliseconds."},
            {"name":"since","schema":{"type":"object","required":["epoch","revision"],"properties":{"epoch":{"type":"string"},
              "revision":{"$ref":"#/components/schemas/Revision"}}}}],
          "result":{"name":"subscription","schema":{"type":"object",
            "required":["subscription","revision","epoch","resumed"],"properties":{
            "subscription":{"type":"integer","minimum":1},"revision":{"$ref":"#/components/schemas/Revision"},
            "epoch":{"type":"string"},"initial":{"type":"integer"},"replayed":{"type":"integer"},"resumed":{"type":"boolean"}}}}},
        {"name":"unsubscribe","paramStructure":"by-name","summary":"Ends a subscription of this connection: none of its events follows the answer.",
          "params":[{"name":"subscription","required":true,"schema":{"type":"integer","minimum":1}}],
          "result":{"$ref":"#/components/contentDescriptors/Nothing"}},
        {"name":"bind","paramStructure":"by-name","summary":"Carries the value of source to target, now and after every change.",
          "params":[{"name":"source","required":true,"schema":{"$ref":"#/components/schemas/ReadablePath"}},
            {"name":"target","required":true,"schema":{"$ref":"#/components/schemas/Path"}},
            {"name":"twoWay","schema":{"type":"boolean","default":false}}],
          "result":{"name":"binding","schema":{"type":"object","required":["binding","revision"],"properties":{
            "binding":{"type":"integer","minimum":1},"revision":{"$ref":"#/components/schemas/Revision"}}}}},
        {"name":"unbind","paramStructure":"by-name","summary":"Ends a binding.",
          "params":[{"name":"binding","required":true,"schema":{"type":"integer","minimum":1}}],
          "result":{"$ref":"#/components/contentDescriptors/Nothing"}},
        {"name":"bindings","paramStructure":"by-name","summary":"All bindings.","params":[],
          "result":{"name":"bindings","schema":{"type":"object","required":["bindings"],"properties":{"bindings":{"type":"array",
            "items":{"type":"object","required":["binding","source","target","twoWay","failing"]}}}}}},
        {"name":"describe","paramStructure":"by-name","summary":"What is at a path: kind, type, identity, properties. The empty path is the list of roots.",
          "params":[{"name":"path","required":true,"schema":{"$ref":"#/components/schemas/Path"}}],
          "result":{"name":"description","schema":{"type":"object","required":["kind"],"properties":{
            "kind":{"enum":["null","bool","int","double","string","array","model"]},"type":{"type":"string"},
            "instance":{"type":"integer"},"weak":{"type":"boolean"},"computed":{"type":"boolean"},"readonly":{"type":"boolean"},
            "count":{"type":"integer"},"properties":{"type":"array","items":{"type":"object","required":["name","kind"]}}}}}},
        {"name":"dump","paramStructure":"by-name","summary":"All roots, or what is at a path, with identity, links and types: in parts.",
          "params":[{"name":"path","schema":{"$ref":"#/components/schemas/Path"}},
            {"name":"part","schema":{"type":"integer","minimum":0,"default":0}}],
          "result":{"name":"part","schema":{"type":"object","required":["part","revision","epoch","more","text"],"properties":{
            "part":{"type":"integer"},"revision":{"$ref":"#/components/schemas/Revision"},"epoch":{"type":"string"},
            "more":{"type":"boolean"},"text":{"type":"string"}}}}},
        {"name":"load","paramStructure":"by-name","summary":"Puts a dump, or plain JSON at a path, into the tree: one commit.",
          "params":[{"name":"text","required":true,"schema":{"type":"string"}},
            {"name":"part","schema":{"type":"integer","minimum":0,"default":0}},
            {"name":"last","schema":{"type":"boolean","default":true}},
            {"name":"path","schema":{"$ref":"#/components/schemas/Path"},"summary":"For plain JSON."}],
          "result":{"name":"loaded","schema":{"type":"object"}}},
        {"name":"status","paramStructure":"by-name","summary":"Version, capabilities, epoch, revision, and what there is how many of.","params":[],
          "result":{"name":"status","schema":{"type":"object","required":["version","capabilities","epoch","revision"],"properties":{
            "version":{"type":"string"},"capabilities":{"type":"array","items":{"type":"string"}},"epoch":{"type":"string"},
            "revision":{"$ref":"#/components/schemas/Revision"},"uptime":{"type":"number"}}}}},
        {"name":"rpc.discover","paramStructure":"by-name","summary":"This document.","params":[],
          "result":{"name":"document","schema":{"type":"object","required":["openrpc","info","methods"]}}},
        {"name":"ping","paramStructure":"by-name","summary":"Answers: what was committed before has been told.","params":[],
          "result":{"$ref":"#/components/contentDescriptors/Nothing"}}
        ],
        "components":{
        "contentDescriptors":{
          "Path":{"name":"path","required":true,"schema":{"$ref":"#/components/schemas/Path"}},
          "IfRevision":{"name":"ifRevision","schema":{"$ref":"#/components/schemas/Revision"},
            "summary":"Only while what get gives is unchanged since then."},
          "IfValue":{"name":"ifValue","schema":{},"summary":"Only while the value, as rendered, equals this."},
          "Lifetime":{"name":"lifetime","schema":{"oneOf":[{"enum":["permanent","connection"]},{"type":"integer","minimum":0}],
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
