// SPDX-License-Identifier: MIT
// The OpenRPC document matches the hub: the same methods and params, and valid references.

import Testing

@testable import ObserveCore

struct ServiceDescriptionTests {
    private let client = FakeClient(Hub.with([]))

    private func document() throws -> Value {
        let answer = try #require(client.ask(#"{"id":1,"method":"rpc.discover"}"#).last)
        return try #require(try Value(json: answer)["result"])
    }

    /// The target of a reference.
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

    @Test func `the document is OpenRPC of this version, in one line`() throws {
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

    @Test func `the table has the methods in the order of their enumeration`() {
        for (index, method) in Method.all.enumerated() {
            let name = MethodName(rawValue: UInt8(index)).map { $0 == .discover ? "rpc.discover" : "\($0)" }
            #expect(name == "\(method.name)")
        }
        #expect(MethodName(rawValue: UInt8(Method.all.count)) == nil)
    }

    @Test func `the document has the hub's methods with their params`() throws {
        let methods = try methods(of: document())
        #expect(methods.count == 23)
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
                answer.contains("needs the param") == !required.isEmpty
                    || ["subscribe", "get"].contains(method),
                "\(method): \(answer)"
            )
            if let named = answer.firstMatch(of: /needs the param (\w+)/) {
                // One of the two params is required, which OpenRPC can't express: the document requires neither.
                let either = ["insert": "value", "subscribe": "path", "get": "path"][method]
                #expect(
                    required.contains(String(named.1)) || either == String(named.1),
                    "\(method): \(answer)"
                )
            }
        }
    }

    @Test func `every reference of the document has a target`() throws {
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
