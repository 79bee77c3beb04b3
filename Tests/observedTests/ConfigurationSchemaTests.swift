// SPDX-License-Identifier: MIT
// docs/observed.schema.json allows what the daemon allows: its members, kinds of values, and limits.

import ObserveCore
import TestSupport
import Testing
import observed

struct ConfigurationSchemaTests {
    private let schema: Value

    init() throws {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let bytes = try Platform.readFile("/\(package)/docs/observed.schema.json", limitBytes: 1 << 20)
        schema = try Value(json: bytes, maxDepth: 64)
    }

    private func daemonRefuses(_ json: String) -> [String] {
        do throws(ConfigurationFaults) {
            _ = try Configuration(json: Array(json.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private func schemaRefuses(_ json: String) throws -> [String] {
        try SchemaValidator(schema).faults(Value(json: json), schema, at: "")
    }

    /// The names of the members that the object at that place of the schema may have.
    private func members(at place: [String]) -> Set<String> {
        var object: Value? = schema
        for name in place { object = object?[name] ?? Int(name).flatMap { object?.array?[$0] } }
        #expect(object?["additionalProperties"] == .bool(false))
        return Set((object?["properties"]?.object ?? ValueMembers()).map(\.name))
    }

    /// Each object with fixed members: where the schema has it, and a configuration with a misspelt member in it.
    private static let objects: [(place: [String], json: String)] = [
        (["properties", "limits"], #"{"limits":{"zzz":1}}"#),
        (["properties", "journal"], #"{"journal":{"zzz":1}}"#),
        (["definitions", "Property", "anyOf", "1"], #"{"types":{"T":{"p":{"type":"Int","zzz":1}}}}"#),
        (["definitions", "Model"], #"{"models":{"a":{"value":1,"zzz":1}}}"#),
        (
            ["definitions", "Link"],
            #"{"models":{"a":{"value":{"b":{}}}},"links":[{"path":"a.c","target":"a.b","zzz":1}]}"#
        ),
        (
            ["definitions", "Binding"],
            #"{"models":{"a":{"value":{"b":1,"c":1}}},"bindings":[{"source":"a.b","target":"a.c","zzz":1}]}"#
        ),
        (["definitions", "Rule"], #"{"access":[{"uid":1,"zzz":1}]}"#),
    ]

    @Test(arguments: objects)
    func `a misspelt member is refused by both, and all others are the same`(place: [String], json: String)
        throws
    {
        let message = try #require(daemonRefuses(json).first)
        let names = try #require(message.firstMatch(of: /zzz: unknown key, expected one of (.*)/)?.1)
        #expect(Set(names.split(separator: ", ").map(String.init)) == members(at: place))
        #expect(
            try schemaRefuses(json).contains { $0.hasSuffix("unknown member zzz") } || place[1] == "Property"
        )
        #expect(try !schemaRefuses(json).isEmpty)
        #expect(try schemaRefuses(json.replacing(/,?"zzz":1/, with: "")).isEmpty)
    }

    @Test func `the file's own members are the same, and the place of a schema`() throws {
        let message = try #require(daemonRefuses(#"{"zzz":1}"#).first)
        let names = try #require(message.firstMatch(of: /zzz: unknown key, expected one of (.*)/)?.1)
        #expect(Set(names.split(separator: ", ").map(String.init)).union(["$schema"]) == members(at: []))
        #expect(daemonRefuses(#"{"$schema":"/usr/share/observed/observed.schema.json"}"#) == [])
    }

    @Test func `the schema has no other objects with fixed members`() {
        func count(_ value: Value) -> Int {
            let inside = (value.array ?? []) + (value.object ?? ValueMembers()).map(\.value)
            return (value["additionalProperties"] == .bool(false) ? 1 : 0) + inside.map(count).reduce(0, +)
        }
        #expect(count(schema) == Self.objects.count + 1)
    }

    @Test func `limits have the daemon's bounds and defaults`() {
        let limits = ServerLimits()
        for limit in ServerLimits.all {
            let described = schema["properties"]?["limits"]?["properties"]?[limit.name]
            #expect(described?["minimum"] == .int(Int64(limit.range.lowerBound)), "\(limit.name)")
            #expect(described?["maximum"] == .int(Int64(limit.range.upperBound)), "\(limit.name)")
            #expect(described?["default"] == .int(Int64(limits[keyPath: limit.value])), "\(limit.name)")
        }
    }

    @Test(arguments: [
        #"[]"#, #"{"models":[]}"#, #"{"models":{"a":1}}"#, #"{"models":{"a":{}}}"#,
        #"{"models":{"a":{"type":1}}}"#,
        #"{"closed":1}"#, #"{"links":{}}"#, #"{"links":[{"path":"a"}]}"#, #"{"links":[{"target":"a"}]}"#,
        #"{"bindings":[1]}"#, #"{"bindings":[{"source":"a","target":1}]}"#, #"{"types":{"T":[]}}"#,
        #"{"types":{"T":{"p":1}}}"#, #"{"types":{"T":{"p":{}}}}"#,
        #"{"types":{"T":{"p":{"type":"Int","weak":"yes"}}}}"#, #"{"journal":{"durability":"always"}}"#,
        #"{"limits":{"maxDepth":0}}"#, #"{"limits":{"maxDepth":257}}"#, #"{"limits":{"maxDepth":1.5}}"#,
        #"{"access":[{}]}"#, #"{"access":[{"uid":1,"gid":1}]}"#, #"{"access":[{"uid":-1}]}"#,
        #"{"access":[{"uid":4294967295}]}"#, #"{"access":[{"user":0}]}"#,
        #"{"access":[{"uid":1,"read":"a"}]}"#,
        #"{"access":[{"uid":1,"read":[{}]}]}"#,
    ])
    func `a value of another form is refused by both`(json: String) throws {
        #expect(!daemonRefuses(json).isEmpty)
        #expect(try !schemaRefuses(json).isEmpty)
    }

    @Test func `both accept any place of a schema`() throws {
        #expect(daemonRefuses(#"{"$schema":1}"#) == [])
        #expect(try schemaRefuses(#"{"$schema":1}"#) == [])
    }

    @Test func `an index may be 0.0, which is an integer for JSON Schema`() {
        let models = #""models":{"a":{"value":[{}]},"b":{"value":{}}}"#
        #expect(daemonRefuses(#"{\#(models),"links":[{"path":["b","c"],"target":["a",0.0]}]}"#) == [])
    }
}
