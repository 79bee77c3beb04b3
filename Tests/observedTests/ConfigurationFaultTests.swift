// SPDX-License-Identifier: MIT
// All faults of a configuration, and the exact messages.

import ObserveCore
import Testing
import observed

struct ConfigurationFaultTests {
    private func faults(_ json: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try Configuration(json: Array(json.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test(arguments: [
        ("", "line 1, column 1 (byte 0): an early end of the text"),
        ("{\n  \"models\": {,}\n}", "line 2, column 14 (byte 15): a member without a name"),
        ("{\"é\": 01}", "line 1, column 7 (byte 7): a leading zero"),
        ("{}\n{}", "line 2, column 1 (byte 3): more text after the value"),
        (
            #"{"limits":{"maxDepth":9223372036854775808}}"#,
            "line 1, column 23 (byte 22): an integer beyond 64 bits"
        ),
        (String(repeating: "[", count: 600), "line 1, column 513 (byte 512): nesting that is too deep"),
    ])
    func `a text that is not JSON`(json: String, fault: String) { #expect(faults(json) == [fault]) }

    @Test(arguments: [
        ("[]", "expected an object, found an array"),
        ("null", "expected an object, found null"),
        (
            #"{"model":{}}"#,
            "model: unknown key, expected one of models, closed, links, limits, types, bindings, journal, access"
        ),
        (
            #"{"a.b":1}"#,
            #"a\.b: unknown key, expected one of models, closed, links, limits, types, bindings, journal, access"#
        ),
        (
            #"{"":1}"#,
            #"\e: unknown key, expected one of models, closed, links, limits, types, bindings, journal, access"#
        ),
        (#"{"journal":1}"#, "journal: expected an object, found 1"),
        (#"{"closed":1}"#, "closed: expected true or false, found 1"),
        (
            #"{"journal":{"durability":"always"}}"#,
            "journal.durability: expected one of commit, interval, none, found always"
        ),
        (
            #"{"journal":{"durability":1}}"#,
            "journal.durability: expected one of commit, interval, none, found 1"
        ),
        (#"{"journal":{"sync":1}}"#, "journal.sync: unknown key, expected one of durability"),
        (#"{"limits":{},"limits":{}}"#, "limits: given twice in one object, expected once"),
    ])
    func `faults of the outermost object are named`(json: String, fault: String) {
        #expect(faults(json) == [fault])
    }

    @Test(arguments: [
        ("[]", "models: expected an object with a member for each root, found an array"),
        (#"{"app":1}"#, "models.app: expected an object with a value, found 1"),
        (#"{"app":{}}"#, "models.app.value: missing, expected the root's value"),
        (#"{"app":{"valu":1,"value":1}}"#, "models.app.valu: unknown key, expected one of value, type"),
        (
            #"{"app":{"type":"App","value":{}}}"#,
            "models.app.type: unknown type App, expected Any, Bool, Double, Int, String or one in types"
        ),
        (#"{"app":{"type":5,"value":{}}}"#, "models.app.type: expected a type, found 5"),
        (#"{"app":{"type":"weak Any?"}}"#, "models.app.type: a root is neither weak nor readonly"),
        (#"{"app":{"type":"Int","value":"x"}}"#, "models.app.value: expected Int, found a string"),
        (
            #"{"app":{"type":"[Int]","value":[1,{"a.b":1}]}}"#,
            "models.app.value.1: expected Int, found an object"
        ),
        (
            #"{"observed":{"value":1}}"#,
            "models.observed: this root is the daemon's own, expected another name"
        ),
        (#"{"":{"value":[]},"a/b":5}"#, #"models.a\/b: expected an object with a value, found 5"#),
        (#"{"":{"valu":1,"value":1}}"#, #"models.\e.valu: unknown key, expected one of value, type"#),
        (#"{"app":{"value":1},"app":{"value":2}}"#, "models.app: given twice in one object, expected once"),
        (#"{"app":{"value":1,"value":2}}"#, "models.app.value: given twice in one object, expected once"),
        (#"{"my.app":[]}"#, #"models.my\.app: expected an object with a value, found an array"#),
    ])
    func `faults of models are named`(models: String, fault: String) {
        #expect(faults("{\"models\":\(models)}") == [fault])
    }

    @Test(arguments: [
        ("[]", "types: expected an object with a member for each type, found an array"),
        (#"{"A":[]}"#, "types.A: expected an object with a member for each property, found an array"),
        (#"{"A":{"x":5}}"#, "types.A.x: expected a type, or an object with a type, found 5"),
        (#"{"A":{"x":{}}}"#, "types.A.x.type: missing, expected a type"),
        (#"{"A":{"x":{"type":null}}}"#, "types.A.x.type: expected a type, found null"),
        (
            #"{"A":{"x":{"type":"Int","readOnly":true}}}"#,
            "types.A.x.readOnly: unknown key, expected one of type, default, readonly, weak, computed"
        ),
        (
            #"{"A":{"x":{"type":"Int","readonly":1}}}"#,
            "types.A.x.readonly: expected true or false, found 1"
        ),
        (
            #"{"A":{"x":{"type":"Int","computed":1}}}"#,
            "types.A.x.computed: expected a template, found 1"
        ),
        (
            #"{"A":{"":"[Int"}}"#,
            #"types.A.\e: expected a type in Swift's notation, as [String: Player]?; found the end where a closing ] was expected"#
        ),
        (#"{"A":{"x":"Int","x":"Int"}}"#, "types.A.x: given twice in one object, expected once"),
        (#"{"A":{},"A":{}}"#, "types.A: given twice in one object, expected once"),
        (
            #"{"A":{"x":"B"}}"#,
            "types.A.x: unknown type B, expected Any, Bool, Double, Int, String or one in types"
        ),
        (
            #"{"Player":{"x":{"type":"[Palyer]"}}}"#,
            "types.Player.x.type: unknown type Palyer, expected Any, Bool, Double, Int, String or one in types; "
                + "did you mean Player?"
        ),
        (
            #"{"A":{"x":{"type":"[Int]","default":[1,"y"]}}}"#,
            "types.A.x.default.1: expected Int, found a string"
        ),
        (
            #"{"A":{"a":"A"}}"#,
            "types.A.a: every A would need another in it, expected an optional on the way"
        ),
    ])
    func `faults of types are named`(types: String, fault: String) {
        #expect(faults("{\"types\":\(types)}") == [fault])
    }

    @Test
    func `faults of types, values and links are reported at once, without faults that follow from others`() {
        let json = #"""
            {"types": {"App": {"a": "Itn", "b": {"type": "Int", "default": "x"}, "c": "String"}, "B": {"b": "B"}},
             "models": {"app": {"type": "App", "value": {"a": [], "c": 5, "d": 1}},
                        "b": {"type": "B", "value": {}},
                        "c": {"type": "Nope", "value": {"x": {}}},
                        "d": {"type": "App"},
                        "e": {"type": "App", "value": {"a": null}}},
             "links": [{"path": "app.c", "target": "c.x"}, {"path": "e.c", "target": "c.x"},
                       {"path": "e.x", "target": "c.x"}]}
            """#
        #expect(
            faults(json) == [
                "types.App.a: unknown type Itn, expected Any, Bool, Double, Int, String or one in types; "
                    + "did you mean Int?",
                "types.B.b: every B would need another in it, expected an optional on the way",
                "types.App.b.default: expected Int, found a string",
                "models.c.type: unknown type Nope, expected Any, Bool, Double, Int, String or one in types",
                "models.app.value.d: App has no property d",
                "models.app.value.c: expected String, found 5",
                "links.1: e.c: expected String, found a model of no declared type",
                "links.2: e.x: App has no property x",
            ]
        )
    }

    @Test(arguments: [
        ("{}", "links: expected an array of links, found an object"),
        ("[true]", "links.0: expected an object with a path and a target, found true"),
        (#"[{"path":"a.x"}]"#, "links.0.target: missing, expected a key path"),
        (#"[{"target":"a.m"}]"#, "links.0.path: missing, expected a key path"),
        (
            #"[{"path":"a.x","target":"a.m"},{"path":"a.y","target":"a.m","week":true}]"#,
            "links.1.week: unknown key, expected one of path, target, weak"
        ),
        (#"[{"path":"a.x","target":"a.m","weak":1}]"#, "links.0.weak: expected true or false, found 1"),
        (
            #"[{"path":1,"target":"a.m"}]"#,
            "links.0.path: expected a key path: a string, or an array of strings and integers, found 1"
        ),
        (
            #"[{"path":["a",null],"target":"a.m"}]"#,
            "links.0.path: expected a key path: a string, or an array of strings and integers, found an array"
        ),
        (#"[{"path":"","target":"a.m"}]"#, "links.0.path: the key path is empty"),
        (#"[{"path":[],"target":"a.m"}]"#, "links.0.path: the key path is empty"),
        (
            #"[{"path":"a..x","target":"a.m"}]"#,
            "links.0.path: component 2 of the key path is empty (an empty name is written \\e)"
        ),
        (
            #"[{"path":"a.*","target":"a.m"}]"#,
            "links.0.path: expected a path without wildcards and operators"
        ),
        (
            #"[{"path":"a.x","target":"a.@max"}]"#,
            "links.0.target: expected a path without wildcards and operators"
        ),
        (
            #"[{"path":"b.x","target":"a.m"}]"#,
            "links.0.path: the root b is not declared, expected one in models"
        ),
        (
            #"[{"path":"a.x","target":"b"}]"#,
            "links.0.target: the root b is not declared, expected one in models"
        ),
        (
            #"[{"path":"a.x","path":"a.y","target":"a.m"}]"#,
            "links.0.path: given twice in one object, expected once"
        ),
    ])
    func `faults of links are named`(links: String, fault: String) {
        let models = #"{"a":{"value":{"m":{},"n":null}}}"#
        #expect(faults("{\"models\":\(models),\"links\":\(links)}") == [fault])
    }

    @Test(arguments: [
        ("{}", "bindings: expected an array of bindings, found an object"),
        ("[null]", "bindings.0: expected an object with a source and a target, found null"),
        (#"[{"source":"a.n"}]"#, "bindings.0.target: missing, expected a key path"),
        (#"[{"target":"a.n"}]"#, "bindings.0.source: missing, expected a key path"),
        (
            #"[{"source":"a.n","target":"a.x","twoways":true}]"#,
            "bindings.0.twoways: unknown key, expected one of source, target, twoWay"
        ),
        (
            #"[{"source":"a.n","target":"a.x","twoWay":"yes"}]"#,
            "bindings.0.twoWay: expected true or false, found a string"
        ),
        (
            #"[{"source":"a.*","target":"a.x"}]"#,
            "bindings.0.source: expected a path without wildcards"
        ),
        (#"[{"source":"a.*.@max","target":"a.x"}]"#, "bindings.0.source: expected a path without wildcards"),
        (
            #"[{"source":"a.n","target":"a.@max"}]"#,
            "bindings.0.target: expected a path without wildcards and operators"
        ),
        (
            #"[{"source":"a.@med","target":"a.x"}]"#,
            #"bindings.0.source: @med is not a collection operator (a name that begins with @ is written \@med)"#
        ),
        (
            #"[{"source":"b.n","target":"a.x"}]"#,
            "bindings.0.source: the root b is not declared, expected one in models"
        ),
        (
            #"[{"source":"b.@max","target":"a.x"}]"#,
            "bindings.0.source: the root b is not declared, expected one in models"
        ),
        (
            #"[{"source":"a.n","target":"b.x"}]"#,
            "bindings.0.target: the root b is not declared, expected one in models"
        ),
        (
            #"[{"source":"a.m.@max","target":"a.n","twoWay":true}]"#,
            "bindings.0: a.m.@max has a collection operator, so nothing can be carried back to it"
        ),
        (
            #"[{"source":"t[off].on","target":"a.x"}]"#,
            "bindings.0: column 3: off: Room has no property off"
        ),
        (
            #"[{"source":"t.rooms.@count[on && off]","target":"a.x"}]"#,
            "bindings.0: column 22: off: Room has no property off"
        ),
    ])
    func `faults of bindings are named`(bindings: String, fault: String) {
        let models = #"{"a":{"value":{"m":{},"n":null}},"t":{"type":"Room"}}"#
        let types = #"{"Room":{"on":"Bool","rooms":"[Room]"}}"#
        #expect(
            faults("{\"types\":\(types),\"models\":\(models),\"bindings\":\(bindings)}") == [fault]
        )
    }

    @Test(arguments: [
        ("[]", "limits: expected an object, found an array"),
        (
            #"{"maxLine":1}"#,
            "limits.maxLine: unknown key, expected one of maxLineBytes, maxOutboxBytes, foldAfterBytes, "
                + "maxRenderedBytes, maxDepth, maxMatches, maxElements, maxSubscriptions, maxOperations, maxBindings, maxLifetimes, "
                + "maxHistoryCommits, maxHistoryBytes, "
                + "maxConnections, maxConnectionsPerUser, maxBufferedBytes, maxTreeBytes"
        ),
        (#"{"maxDepth":0}"#, "limits.maxDepth: expected an integer from 1 to 256, found 0"),
        (#"{"maxDepth":257}"#, "limits.maxDepth: expected an integer from 1 to 256, found 257"),
        (#"{"maxDepth":"64"}"#, "limits.maxDepth: expected an integer from 1 to 256, found a string"),
        (#"{"maxDepth":1.5}"#, "limits.maxDepth: expected an integer from 1 to 256, found 1.5"),
        (#"{"maxLineBytes":-1}"#, "limits.maxLineBytes: expected an integer from 1 to 1073741824, found -1"),
        (
            #"{"maxOutboxBytes":1073741825}"#,
            "limits.maxOutboxBytes: expected an integer from 1 to 1073741824, found 1073741825"
        ),
        (
            #"{"foldAfterBytes":null}"#,
            "limits.foldAfterBytes: expected an integer from 1 to 1073741824, found null"
        ),
        (
            #"{"maxRenderedBytes":0}"#,
            "limits.maxRenderedBytes: expected an integer from 1 to 1073741824, found 0"
        ),
        (
            #"{"maxConnections":1e7}"#,
            "limits.maxConnections: expected an integer from 1 to 1048576, found 10000000.0"
        ),
    ])
    func `faults of limits are named`(limits: String, fault: String) {
        #expect(faults("{\"limits\":\(limits)}") == [fault])
    }

    @Test(arguments: [
        (2, [String]()), (1, ["bindings: expected at most 1 binding (limits.maxBindings), found 2"]),
    ])
    func `the configuration has at most as many bindings as the limit says`(limit: Int, found: [String]) {
        let bindings = #"[{"source":"a.x","target":"a.y"},{"source":"a.x","target":"a.z"}]"#
        let models = #"{"a":{"value":{"x":1}}}"#
        #expect(
            faults(#"{"models":\#(models),"bindings":\#(bindings),"limits":{"maxBindings":\#(limit)}}"#)
                == found
        )
    }

    @Test(arguments: [
        (#"{"source":"a.x","target":"a.x"}"#, ["bindings.0: a.x can't be bound to itself"]),
        (
            #"{"source":"a.x","target":"a.y"},{"source":"a.x","target":"a.y","twoWay":true}"#,
            ["bindings.1: binding 1 already binds a.x to a.y"]
        ),
        (#"{"source":"a.x","target":"a.y"},{"source":"a.x","target":"a.y"}"#, []),
    ])
    func `a path is bound to another once`(bindings: String, found: [String]) {
        #expect(faults(#"{"models":{"a":{"value":{"x":1}}},"bindings":[\#(bindings)]}"#) == found)
    }

    @Test func `a value may have as many levels as the limit says`() {
        let limits = #""limits":{"maxDepth":3}"#
        #expect(faults("{\"models\":{\"a\":{\"value\":[[{\"x\":1}]]}},\(limits)}") == [])
        #expect(
            faults("{\"models\":{\"a\":{\"value\":[0,[{\"x\":[]}]]}},\(limits)}") == [
                "models.a.value.1.0.x: nests too deep, expected at most 3 levels (limits.maxDepth)"
            ]
        )
    }

    @Test func `all faults are reported at once`() {
        let json = #"""
            {"models": {"app": {"valu": 1}, "app": {"value": {"": 1}}, "observed": {}, "good": {"value": null}},
             "links": [{"path": "app.x"}, {"path": "good.x", "target": "gone.y"}],
             "limits": {"maxDepth": 0},
             "type": {}}
            """#
        #expect(
            faults(json) == [
                "models.app: given twice in one object, expected once",
                "limits.maxDepth: expected an integer from 1 to 256, found 0",
                "models.observed: this root is the daemon's own, expected another name",
                "models.observed.value: missing, expected the root's value",
                "links.0.target: missing, expected a key path",
                "links.1.target: the root gone is not declared, expected one in models",
                "type: unknown key, expected one of models, closed, links, limits, types, bindings, journal, access",
            ]
        )
    }

    @Test func `links and bindings of a faulty root are not faults of their own`() {
        let json = #"{"models":{"a":{"valu":{}},"b":{"value":{}}},"links":[{"path":"b.x","target":"a.y"}]}"#
        #expect(
            faults(json) == [
                "models.a.valu: unknown key, expected one of value, type",
                "models.a.value: missing, expected the root's value",
            ]
        )
    }
}
