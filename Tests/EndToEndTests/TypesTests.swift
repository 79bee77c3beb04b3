// SPDX-License-Identifier: MIT
// `observectl types`: declared types of a real daemon, for other tools.

import ObserveCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TypesTests {
    private static let configuration = #"""
        {
          "types": {
            "Library": {
              "films": "[Film]", "favourite": "Film?", "playing": "weak Film?", "shelf": "Shelf",
              "ratings": "[String: Int]", "extra": "Any", "country": { "type": "readonly String", "default": "U\"K" },
              "now playing": "String", "headline": { "type": "String", "computed": "{country}" }
            },
            "Film": { "title": "String", "year": "Int?", "class": "Int(1...5)", "score": { "type": "Double", "default": 1.5 } },
            "Shelf": { "width": "Double(...-0.5)", "isFull": "Bool", "rows": { "type": "[[Int]]", "default": [[1], []] } },
            "Unused": { "a": "Int" }
          },
          "models": { "library": { "type": "Library?" }, "open": { "value": 1 } }
        }
        """#

    private static let film =
        #""Film":{"type":"object","properties":{"title":{"type":"string"},"year":{"anyOf":[{"type":"integer"},{"type":"null"}]},"class":{"type":"integer","minimum":1,"maximum":5},"score":{"type":"number","default":1.5}},"additionalProperties":false}"#
    private static let shelf =
        #""Shelf":{"type":"object","properties":{"width":{"type":"number","maximum":-0.5},"isFull":{"type":"boolean"},"rows":{"type":"array","items":{"type":"array","items":{"type":"integer"}},"default":[[1],[]]}},"additionalProperties":false}"#
    private static let library =
        ##""Library":{"type":"object","required":["shelf"],"properties":{"films":{"type":"array","items":{"$ref":"#/definitions/Film"}},"favourite":{"anyOf":[{"$ref":"#/definitions/Film"},{"type":"null"}]},"shelf":{"$ref":"#/definitions/Shelf"},"ratings":{"type":"object","additionalProperties":{"type":"integer"}},"extra":{},"country":{"type":"string","default":"U\"K"},"now playing":{"type":"string"}},"additionalProperties":false}"##

    @Test func `a type is printed as JSON Schema, which its values fit`() throws {
        let daemon = try DaemonUnderTest(configuration: TypesTests.configuration)
        let printed = try daemon.observectl(["types", "--json-schema", "library"])
        #expect(printed.errors == "")
        #expect(
            printed.output
                == ##"{"$schema":"http://json-schema.org/draft-07/schema#","anyOf":[{"$ref":"#/definitions/Library"},{"type":"null"}],"definitions":{\##(TypesTests.library),\##(TypesTests.film),\##(TypesTests.shelf)}}"##
                + "\n"
        )
        let schema = try Value(json: printed.output)
        let validator = SchemaValidator(schema)
        let film = #"{"title":"Alien","class":3}"#
        let written = try daemon.observectl([
            "set", "library", #"{"shelf":{},"films":[\#(film)],"favourite":\#(film),"ratings":{"a":1}}"#,
        ])
        #expect(written.status == .exited(0), "\(written.errors)")
        let value = try Value(json: daemon.observectl(["get", "library"]).output)
        #expect(validator.faults(value, schema, at: "") == [])
        for misfit in [#"{}"#, #"{"shelf":{},"films":[{"class":6}]}"#, #"{"shelf":{},"fims":[]}"#] {
            #expect(try daemon.observectl(["set", "library", misfit]).status == .exited(1))
            #expect(try !validator.faults(Value(json: misfit), schema, at: "").isEmpty)
        }
    }

    @Test func `a type is printed as Swift classes, which compile`() throws {
        let daemon = try DaemonUnderTest(configuration: TypesTests.configuration)
        let printed = try daemon.observectl(["types", "--swift", "library"])
        #expect(printed.errors == "")
        #expect(
            printed.output == #"""
                import ObserveCore

                final class Library: CreatableModel {
                    let observationStore = ObservationStore()
                    @Published var films: [Film] = []
                    @Published var favourite: Film?
                    @WeakPublished var playing: Film?
                    @Published var shelf: Shelf = .init()
                    // ratings: [String: Int] has values that a class does not hold: observe its path
                    // extra: Any has values that a class does not hold: observe its path
                    @Published private(set) var country: String = "U\"K"
                    // now playing: String has a name that Swift does not have
                    // headline: String is computed by the daemon: observe its path
                    init() {}
                }

                final class Film: CreatableModel {
                    let observationStore = ObservationStore()
                    @Published var title: String = ""
                    @Published var year: Int?
                    @Published var `class`: Int = 1
                    @Published var score: Double = 1.5
                    init() {}
                }

                final class Shelf: CreatableModel {
                    let observationStore = ObservationStore()
                    @Published var width: Double = -0.5
                    @Published var isFull: Bool = false
                    @Published var rows: [[Int]] = [[1], []]
                    init() {}
                }

                """#
        )
        #expect(try SwiftCompiler.diagnostics(of: printed.output, warnings: true) == [])
    }

    /// What `types --swift` prints of a root of that type.
    private func swiftClasses(of type: String, _ types: String) throws -> String {
        let configuration = #"{"types": \#(types), "models": {"root": {"type": "\#(type)"}}}"#
        return try DaemonUnderTest(configuration: configuration).observectl(["types", "--swift", "root"])
            .output
    }

    @Test func `no class hides a type of Swift's, and no property the storage of another`() throws {
        let types = #"""
            {
              "_": { "volume": "Int", "_volume": "Int", "next": "Published?" },
              "Published": { "a": "Array?" }, "Array": {}
            }
            """#
        let classes = try swiftClasses(of: "_?", types)
        #expect(classes.contains("final class _Model: CreatableModel"))
        #expect(classes.contains("@Published var next: PublishedModel?"))
        #expect(classes.contains("// _volume: Int has a name that Swift does not have"))
        #expect(try SwiftCompiler.diagnostics(of: classes, warnings: true) == [])
    }

    @Test func `no property hides a type of Swift's or its own`() throws {
        let types = #"""
            {
              "Deck": {
                "Disc": "Disc", "spare": { "type": "Disc?", "default": { "name": "N" } }, "Any": "Int", "Protocol": "Int",
                "ObservationStore": "Int", "Published": "Int", "String": "String"
              },
              "Disc": { "name": "String" }
            }
            """#
        let classes = try swiftClasses(of: "Deck?", types)
        #expect(classes.contains("@Published var Disc: Disc = .init()"))
        #expect(classes.contains("@Published var `Any`: Int = 0"))
        #expect(classes.contains("// ObservationStore: Int has a name that Swift does not have"))
        #expect(try SwiftCompiler.diagnostics(of: classes, warnings: true) == [])
    }

    @Test func `a class has the declared defaults of models`() throws {
        let types = #"""
            {
              "Deck": {
                "player": { "type": "Player", "default": { "volume": 70, "disc": { "name": "N" }, "code": "x", "odd one": 1 } },
                "all": { "type": "[Player]", "default": [{ "next": null, "disc": {} }] },
                "spare": { "type": "Player?", "default": { "disc": {} } }
              },
              "Player": {
                "volume": "Int", "disc": "Disc", "code": "readonly String", "odd one": "Int", "next": "Disc?",
                "more": "[String: Int]"
              },
              "Disc": { "name": "String" }
            }
            """#
        let classes = try swiftClasses(of: "Deck", types)
        for line in [
            #"player: Player = { let model: Player = .init(); model.volume = 70; model.disc = { let model: Disc = .init(); model.name = "N"; return model }(); return model }()"#,
            "all: [Player] = [{ let model: Player = .init(); model.disc = .init(); model.next = nil; return model }()]",
            "spare: Player? = { let model: Player = .init(); model.disc = .init(); return model }()",
        ] { #expect(classes.contains("@Published var \(line)\n"), "\(classes)") }
        #expect(try SwiftCompiler.diagnostics(of: classes, warnings: true) == [])
    }

    @Test func `a place without a declared type has an open schema, and no class`() throws {
        let daemon = try DaemonUnderTest(configuration: TypesTests.configuration)
        let schema = try daemon.observectl(["types", "--json-schema", "open"])
        #expect(schema.output == ##"{"$schema":"http://json-schema.org/draft-07/schema#"}"## + "\n")
        let classes = try daemon.observectl(["types", "--swift", "open"])
        #expect(
            classes
                == Finished(
                    status: .exited(1),
                    output: "",
                    errors: "observectl: open has no declared type of a model\n"
                )
        )
        let misspelt = try daemon.observectl(["types", "--json-schema", "libary"])
        #expect(
            misspelt
                == Finished(
                    status: .exited(1),
                    output: "",
                    errors: "observectl: libary is null, and its type is Any\n"
                )
        )
        for options in [[], ["--swift", "--json-schema"]] {
            let refused = try daemon.observectl(["types"] + options + ["open"])
            #expect(refused.status == .exited(2))
            let sentence = "types takes one of --json-schema and --swift"
            #expect(refused.errors.hasPrefix("observectl: \(sentence)\n"))
        }
    }
}
