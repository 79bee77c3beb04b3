// SPDX-License-Identifier: MIT
// A parsed key path has one escaped form, and both forms of a path lead to the same value.

@testable import ObserveCore

func fuzzKeyPaths(_ input: [UInt8]) {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    let path = ParsedKeyPath(maxDepth: 16)
    do throws(KeyPathError) { try path.parse(dotted: text) } catch {
        require(!error.description.isEmpty, "a fault without a description")
        return
    }
    let again = ParsedKeyPath(maxDepth: 16)
    do throws(KeyPathError) { try again.parse(dotted: path.escaped) } catch {
        fatalError("the escaped form \(path.escaped) is refused: \(error.description)")
    }
    requireEqual(components(again), components(path), "the escaped form \(path.escaped) is another path")
    requireEqual(again.escaped, path.escaped, "two escaped forms")
    requireEqual(again.operatorIndex, path.operatorIndex, "the operator moved")
    requireEqual(again.hasWildcard, path.hasWildcard, "a wildcard in one form alone")
    requireEqual(again.hasSelection, path.hasSelection, "a condition in one form alone")
    do throws(KeyPathError) { try again.parse(dotted: path.escaped, isKnown: true) } catch {
        fatalError("a known path is refused: \(error.description)")
    }
    requireEqual(components(again), components(path), "brackets end elsewhere in \(path.escaped)")
    if path.isLiteral { checkLiteral(path) }
    checkTree(path)
}

private struct Component: Equatable {
    let kind: ParsedKeyPath.Kind
    let name: String
    let condition: String
}

private func components(_ path: ParsedKeyPath) -> [Component] {
    (0..<path.count).map {
        Component(kind: path.kind($0), name: path.name($0).string, condition: path.condition($0).string)
    }
}

private func names(_ path: ParsedKeyPath) -> [String] { (0..<path.count).map { path.name($0).string } }

/// The array form of the path is the same path.
private func checkLiteral(_ path: ParsedKeyPath) {
    requireEqual(
        try? DottedKeyPath.literalNames(of: path.escaped, maxDepth: 16),
        names(path),
        "other names along \(path.escaped)"
    )
    requireEqual(DottedKeyPath.text(of: names(path)), path.escaped, "another text")
    let array = ParsedKeyPath(maxDepth: 16)
    ByteView.with(Value.array(names(path).map(Value.string)).json) { json in
        do throws(KeyPathError) { try array.parse(JSONView(validated: json)) } catch {
            fatalError("the array form is refused: \(error.description)")
        }
    }
    requireEqual(components(array), components(path), "the array form is another path")
}

/// Observes the path, and sets, reads and removes its value.
private func checkTree(_ path: ParsedKeyPath) {
    let hub = Hub.with([("a", #"{"b":{"c":1},"l":[1,{"x":2}]}"#), ("*", "0"), ("@count", "{}")])
    let client = FakeClient(hub)
    let text = Value.string(path.escaped).json
    client.send(#"{"id":1,"method":"subscribe","params":{"path":\#(text),"old":true}}"#)
    client.send(#"{"id":2,"method":"subscribe","params":{"paths":["**",\#(text)]}}"#)
    client.send(#"{"id":3,"method":"set","params":{"path":\#(text),"value":7,"parents":true}}"#)
    let isSet = client.take().contains { $0.hasPrefix(#"{"jsonrpc":"2.0","id":3,"result""#) }
    let dotted = client.ask(#"{"id":4,"method":"get","params":{"path":\#(text)}}"#)
    if path.isLiteral {
        let array = Value.array(names(path).map(Value.string)).json
        let other = client.ask(#"{"id":4,"method":"get","params":{"path":\#(array)}}"#)
        requireEqual(dotted, other, "two forms of one path")
        require(!isSet || dotted.contains { $0.contains(#""result":{"value":7,"#) }, "not set: \(dotted)")
    } else {
        require(!isSet, "a pattern was set")
    }
    client.send(#"{"id":5,"method":"bind","params":{"source":\#(text),"target":"t"}}"#)
    if path.hasSelection {
        client.send(#"{"id":8,"method":"set","params":{"path":"a.b.c","value":2}}"#)
        client.send(#"{"id":9,"method":"insert","params":{"path":"a.l","value":{"x":3},"index":0}}"#)
        client.send(#"{"id":10,"method":"remove","params":{"path":"a.b"}}"#)
        requireEqual(hub.tree.faults(), [], "after changes below \(path.escaped)")
    }
    client.send(#"{"id":6,"method":"remove","params":{"path":\#(text)}}"#)
    client.send(#"{"id":7,"method":"unsubscribe","params":{"subscription":2}}"#)
    client.close()
    requireEqual(hub.tree.faults(), [], "after \(path.escaped)")
}
