// SPDX-License-Identifier: MIT
// The OpenRPC document says what the hub does: the same methods, the same params, and references that lead somewhere.

import Testing

@testable import ObserveCore

struct ServiceDescriptionTests {
    private let client = FakeClient(Hub.with([]))

    private func document() throws -> Value {
        let answer = try #require(client.ask(#"{"id":1,"method":"rpc.discover"}"#).last)
        return try #require(try Value(json: answer)["result"])
    }

    /// What a reference stands for.
    private func resolved(_ value: Value, in document: Value) throws -> Value {
        guard case .string(let reference) = value["$ref"] else { return value }
        #expect(reference.hasPrefix("#/"))
        var target = document
        for name in reference.dropFirst(2).split(separator: "/") {
            target = try #require(target[String(name)], "\(reference) leads nowhere")
        }
        return try resolved(target, in: document)
    }

    private func methods(of document: Value) throws -> [(
        name: String, params: [(name: String, isRequired: Bool)]
    )] {
        guard case .array(let methods) = document["methods"] else { return [] }
        return try methods.map { method in
            guard case .string(let name) = method["name"], case .array(let params) = method["params"] else {
                throw Missing()
            }
            return (
                name,
                try params.map { param in
                    let param = try resolved(param, in: document)
                    guard case .string(let name) = param["name"] else { throw Missing() }
                    return (name, param["required"] == .bool(true))
                }
            )
        }
    }

    private struct Missing: Error {}

    @Test func `it is an OpenRPC document of this version, in one line`() throws {
        let lines = client.ask(#"{"id":1,"method":"rpc.discover"}"#)
        #expect(lines.count == 1)
        let document = try document()
        #expect(document["openrpc"] == .string("1.3.2"))
        #expect(document["info"]?["title"] == .string("observed"))
        #expect(document["info"]?["version"] == .string(ObserveCore.version))
        #expect(
            client.ask(#"{"id":2,"method":"rpc.discover","params":{"path":"a"}}"#).last?.contains(
                "has no param path"
            ) == true
        )
    }

    /// The length and FNV-1a hash of the document, behind the version.
    @Test func `the table of methods makes the same document, byte for byte`() {
        let out = ByteBuffer()
        ServiceDescription.append(to: out, version: "1")
        let head = #"{"openrpc":"1.3.2","info":{"title":"observed","version":"1","license":{"name":"MIT"}},"#
        #expect(out.string.hasPrefix(head))
        let rest = out.array.dropFirst(head.utf8.count)
        #expect(rest.count == 12701)
        let hash = rest.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        #expect(hash == 0x54fc_bf24_4b5b_c4d6)
    }

    @Test func `capabilities are those that clients know, in their order`() {
        let words = """
            batch bind bindings computed debounce describe dump get increment insert lifetime link load merge \
            operators origin own patterns ping remove rpc.discover set since status subscribe throttle transaction \
            types unbind
            """
        #expect(Method.capabilities == words.split(separator: " ").map(String.init))
    }

    @Test func `the rows of the table stand in the order of the methods' names`() {
        for (index, method) in Method.all.enumerated() { #expect(Int(method.id.rawValue) == index) }
    }

    @Test func `its methods are those that there are, with the params that they take`() throws {
        let methods = try methods(of: document())
        #expect(methods.count == 19)
        for (method, params) in methods {
            let required = Set(params.filter(\.isRequired).map(\.name))
            for name in ParamName.allCases.map({ "\($0.text)" }) {
                let line = #"{"id":1,"method":"\#(method)","params":{"\#(name)":{"a":1}}}"#
                let answer = try #require(client.ask(line).first)
                #expect(!answer.contains("-32601"), "\(method)")
                #expect(
                    answer.contains("has no param \(name)") != params.contains { $0.name == name },
                    "\(method) and \(name): \(answer)"
                )
            }
            let answer = try #require(client.ask(#"{"id":1,"method":"\#(method)"}"#).first)
            #expect(
                answer.contains("needs the param") == !required.isEmpty || method == "subscribe",
                "\(method): \(answer)"
            )
            if let named = answer.firstMatch(of: /needs the param (\w+)/) {
                // One of two will do: no OpenRPC says so, and neither is required.
                let either = ["insert": "value", "subscribe": "path"][method]
                #expect(
                    required.contains(String(named.1)) || either == String(named.1),
                    "\(method): \(answer)"
                )
            }
        }
    }

    @Test func `every reference leads somewhere`() throws {
        let document = try document()
        var pending = [document]
        var count = 0
        while let value = pending.popLast() {
            switch value {
            case .array(let elements): pending += elements
            case .object(let members):
                if members["$ref"] != nil {
                    count += 1
                    _ = try resolved(value, in: document)
                }
                for member in members { pending.append(member.value) }
            default: break
            }
        }
        #expect(count > 40)
    }
}
