// SPDX-License-Identifier: MIT
// The parts of a configuration, and their models.

import ObserveCore
import Testing
import observed

struct ConfigurationTests {
    private func configuration(_ json: String) throws -> Configuration {
        try Configuration(json: Array(json.utf8))
    }

    @Test(arguments: [
        "{}", #"{"models":{}}"#, #"{"links":[]}"#, #"{"bindings":[]}"#, #"{"limits":{}}"#, " \n{ }\n",
    ])
    func `an empty configuration is an empty tree with the usual limits`(json: String) throws {
        let empty = try configuration(json)
        #expect(empty.models.isEmpty)
        #expect(empty.links.isEmpty)
        #expect(empty.limits.clients.maxLineBytes == 1_048_576)
        #expect(empty.limits.tree.maxDepth == 64)
    }

    @Test func `a closed configuration has no other roots`() throws {
        let closed = try configuration(
            #"{"closed":true,"models":{"a":{"value":{"x":1}},"n":{"type":"Int"}}}"#
        )
        #expect(closed.isClosed)
        let tree = ModelTree()
        #expect(closed.layOut(in: tree).isEmpty)
        #expect(tree.json(ofRoot: "a") == #"{"x":1}"#)
        #expect(throws: TreeError.self) { try tree.define(root: "b", json: "1") }
        #expect(try !configuration(#"{"closed":false}"#).isClosed)
    }

    @Test func `models keep their order and any kind of value`() throws {
        let values: [(String, Value)] = [
            ("z", ["x": 1]), ("a", nil), ("n", 2.5), ("s", "text"), ("l", [1, ["t": "x"]]), ("b.c", true),
        ]
        let members = values.map { "\(Value.string($0.0).json):{\"value\":\($0.1.json)}" }
        let models = try configuration("{\"models\":{\(members.joined(separator: ","))}}").models
        #expect(models.map(\.name) == values.map(\.0))
        #expect(models.map(\.value) == values.map(\.1))
    }

    @Test func `in a value the last of equal names wins`() throws {
        let models = try configuration(#"{"models":{"a":{"value":{"x":1,"x":2}}}}"#).models
        #expect(models.map(\.value) == [["x": 2]])
        let types = try configuration(#"{"types":{"A":{"b":{"type":"Any","default":{"x":1,"x":2}}}}}"#).types
        #expect(types[0].properties[0].initial == ["x": 2])
    }

    @Test func `roots have the declared types`() throws {
        let json = #"""
            {"types": {"App": {"id": "readonly String", "list": {"type": "[B]", "default": [{}], "readonly": true},
                               "b": {"type": "B?", "weak": true}, "text": {"type": "String", "computed": "{id}"}},
                       "B": {}},
             "models": {"app": {"type": "App", "value": {"id": "x"}}, "bs": {"type": "[String: B]"},
                        "n": {"type": "Double", "value": 1}, "open": {"value": null}},
             "links": [{"path": "app.b", "target": "app.list.0"}]}
            """#
        let read = try configuration(json)
        #expect(read.types.map(\.name) == ["App", "B"])
        #expect(read.types[0].properties.map(\.name) == ["id", "list", "b", "text"])
        #expect(read.types[0].properties.map(\.isReadonly) == [false, true, false, false])
        #expect(read.types[0].properties[3].computed == "{id}")
        #expect(read.models.map(\.type) == ["App", "[String: B]", "Double", nil])
        #expect(read.models.map(\.value) == [["id": "x"], nil, 1, Value.null])
        let tree = ModelTree()
        #expect(read.layOut(in: tree) == [])
        #expect(tree.revision == 5)
        #expect(tree.modelCount == 3)
    }

    @Test func `a root without a value gets the defaults of its type`() throws {
        let json = #"""
            {"types": {"App": {"volume": {"type": "Int", "default": 50}, "b": "B?"}, "B": {}},
             "models": {"app": {"type": "App"}, "maybe": {"type": "App?"}}}
            """#
        let tree = ModelTree()
        #expect(try configuration(json).layOut(in: tree) == [])
        #expect(tree.json(ofRoot: "app") == #"{"volume":50,"b":null}"#)
        #expect(tree.json(ofRoot: "maybe") == "null")
    }

    @Test func `links are made in order, by paths of both forms`() throws {
        let json = #"""
            {"models": {"a": {"value": {"x.y": {}, "z": [{}]}}, "b": {"value": {}}},
             "links": [
               {"path": "b.first", "target": "a.x\\.y"},
               {"path": ["b", "second"], "target": ["a", "z", 0], "weak": true},
               {"path": "b.third", "target": "b.first", "weak": false}]}
            """#
        let links = try configuration(json).links
        #expect(links.map(\.source) == ["b.first", "b.second", "b.third"])
        #expect(links.map(\.target) == [#"a.x\.y"#, "a.z.0", "b.first"])
        #expect(links.map(\.option) == [false, true, false])
    }

    @Test func `links and bindings may stand before the models`() throws {
        let read = try configuration(
            #"""
            {"bindings": [{"source": "a.n", "target": "b.n"}], "links": [{"path": "b.a", "target": "a"}],
             "models": {"a": {"value": {"n": 1}}, "b": {"value": {}}}}
            """#
        )
        let tree = ModelTree()
        #expect(read.layOut(in: tree) == [])
        #expect(tree.json(ofRoot: "b") == #"{"a":{"n":1},"n":1}"#)
    }

    @Test func `bindings are made in order, by paths of both forms, and may fail at first`() throws {
        let json = #"""
            {"models": {"a": {"value": {"x.y": 1, "z": [{"w": 2}]}}, "b": {"value": {}}},
             "bindings": [
               {"source": "a.x\\.y", "target": "b.first"},
               {"source": ["a", "z", 0, "w"], "target": ["b", "no.where", "x"], "twoWay": true},
               {"source": "a.z.@sum.w", "target": "b.sum", "twoWay": false}]}
            """#
        let configuration = try configuration(json)
        #expect(configuration.bindings.map(\.source) == [#"a.x\.y"#, "a.z.0.w", "a.z.@sum.w"])
        #expect(configuration.bindings.map(\.target) == ["b.first", #"b.no\.where.x"#, "b.sum"])
        #expect(configuration.bindings.map(\.option) == [false, true, false])
        let tree = ModelTree()
        #expect(configuration.layOut(in: tree).isEmpty)
        #expect(tree.failingBindings == 1)
    }

    @Test func `every limit is read`() throws {
        let all = ServerLimits.all
        #expect(Set(all.map(\.name)).count == all.count)
        let members = all.enumerated().map { #""\#($1.name)": \#($0 + 1).0"# }.joined(separator: ", ")
        let limits = try configuration("{\"limits\": {\(members)}}").limits
        for (index, limit) in all.enumerated() { #expect(limits[keyPath: limit.value] == index + 1) }
        #expect(limits.clients.maxLineBytes == 1)
        #expect(limits.tree.maxDepth == 5)
    }

    @Test(arguments: [
        (Arguments.Place.none, ["XDG_CONFIG_HOME": "/x"], nil as String?),
        (.path("f"), ["XDG_CONFIG_HOME": "/x"], "f"),
        (.standard, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/observed/observed.json"),
        (.standard, ["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/observed/observed.json"),
        (.standard, ["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/observed/observed.json"),
        (.standard, ["HOME": "/h"], "/h/.config/observed/observed.json"),
        (.standard, [:], nil), (.standard, ["HOME": ""], nil), (.standard, ["HOME": "h"], nil),
        (.standard, ["XDG_CONFIG_HOME": "/x", "HOME": ""], "/x/observed/observed.json"),
    ])
    func `the configuration's file follows from the option and the environment`(
        option: Arguments.Place,
        environment: [String: String],
        expected: String?
    ) {
        let file = ConfigurationFile(option: option) { environment[$0] }
        #expect(file.path == expected)
        #expect(file.path == nil || file.isRequired == (option == .path("f")))
    }
}
