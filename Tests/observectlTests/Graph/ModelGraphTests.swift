// SPDX-License-Identifier: MIT
// A graph from a dump and from JSON: places, paths, holders, assignments, and texts that are not of a dump.

import ObserveCore
import Testing

@testable import observectl

struct ModelGraphTests {
    private func place(_ instance: ModelGraph.Instance, _ name: String, _ indexes: Int...) -> ModelGraph.Place
    {
        ModelGraph.Place(instance: instance, name: name, indexes: indexes)
    }

    @Test func `a path leads through models, weak references and arrays to a place`() throws {
        let graph = try SampleGraph.graph
        #expect(graph.place(of: ["app", "volume"]) == place(1, "volume"))
        #expect(graph.place(of: ["library", "films", "1", "tags", "0"]) == place(6, "tags", 0))
        #expect(graph.place(of: ["library", "now", "title"]) == place(3, "title"))
        for path in [
            ["no"], ["app", "volume", "x"], ["library", "films", "01"], ["library", "films", "2"],
            ["library", "gone", "x"],
        ] {
            #expect(graph.place(of: path) == nil, "\(path)")
        }
        #expect(graph.content(at: place(6, "tags", 1)) == .scalar("b"))
        #expect(graph.content(at: place(6, "tags", 2)) == nil)
    }

    @Test func `each model has a path and all its holders`() throws {
        let graph = try SampleGraph.graph
        let paths = GraphPaths(graph)
        #expect(paths.path(to: 5) == "library.films.0")
        #expect(paths.path(to: 3) == "app.controller.player")
        #expect(
            paths.holders(of: 5) == [
                GraphPaths.Holder(place: place(4, "films", 0), isWeak: false),
                GraphPaths.Holder(place: place(4, "favourite"), isWeak: false),
            ]
        )
        #expect(paths.holders(of: 3).map(\.isWeak) == [false, true])
        #expect(paths.path(of: place(7, "日本.x")) == #"odd.日本\.x"#)
        #expect(
            paths.bound[place(5, "title")] == [
                GraphPaths.BoundEnd(direction: .feeds, other: "library.headline")
            ]
        )
    }

    @Test func `a value is assigned where no model is`() throws {
        var graph = try SampleGraph.graph
        var places: [Bool] = []
        places.append(graph.assign(7, at: place(1, "volume")))
        places.append(graph.assign("B", at: place(6, "tags", 1)))
        #expect(places == [true, true])
        #expect(graph.content(at: place(1, "volume")) == .scalar(7))
        #expect(graph.content(at: place(6, "tags"))?.value == ["a", "B"])
        let before = graph
        places = [graph.assign(1, at: place(4, "favourite")), graph.assign(["a": 1], at: place(1, "volume"))]
        places += [graph.assign([["a": 1]], at: place(6, "tags")), graph.assign(1, at: place(1, "new"))]
        #expect(places == [false, false, false, false])
        #expect(graph.models == before.models)
    }

    @Test func `ordinary JSON has a model for each object`() {
        var graph = ModelGraph()
        graph.add(root: "observed", ["version": "1", "limits": ["a": ["max": 1]], "list": [["x": 1]]])
        #expect(graph.place(of: ["observed", "limits", "a", "max"]).flatMap(graph.content) == .scalar(1))
        #expect(graph.place(of: ["observed", "list", "0", "x"]).flatMap(graph.content) == .scalar(1))
    }

    @Test(arguments: [
        "{", #"{"m":[[1]]}"#, #"{"m":[["x",null,0]]}"#, #"{"m":[[1,null,0,"a"]]}"#,
        #"{"m":[[1,null,0,2,3,4]]}"#,
        #"{"m":[[1,null,0,"a",{"z":1},4]]}"#, #"{"o":[[1,2,3]]}"#, #"{"b":[[1,2]]}"#,
    ])
    func `a line of another form is a fault`(line: String) {
        var graph = ModelGraph()
        #expect(throws: ClientError.self) { try graph.add(line: Array(line.utf8)) }
    }

    @Test func `the dump of a path has the path before its names`() throws {
        var graph = ModelGraph()
        try graph.add(line: Array(#"{"snapshot":2,"path":"a.b\\.c.d"}"#.utf8))
        try graph.add(line: Array(#"{"m":[[0,null,0,"d",{"m":2},1],[2,null,0,"x",1,1]]}"#.utf8))
        #expect(graph.base == #"a.b\.c"#)
        #expect(GraphPaths(graph).path(to: 2) == #"a.b\.c.d"#)
        #expect(graph.place(of: ["a", "b.c", "d", "x"]) == place(2, "x"))
        #expect(graph.place(of: ["d", "x"]) == nil)
    }

    @Test func `a temporary value may shadow an absent property, or a model`() throws {
        var graph = ModelGraph()
        let line =
            #"{"m":[[0,null,0,"a",5,1,"b",5,1],[7,null,0]],"o":[[0,"a",[[{},null],[null,["c",22]]]],[0,"b",[[{"m":7},null],[null,["c",22]]]]]}"#
        try graph.add(line: Array(line.utf8))
        let held = ModelGraph.Layer(value: nil, end: .connection)
        #expect(
            graph.layers == [
                place(0, "a"): [ModelGraph.Layer(value: .scalar(.null), end: .permanent), held],
                place(0, "b"): [ModelGraph.Layer(value: .model(7), end: .permanent), held],
            ]
        )
    }
}
