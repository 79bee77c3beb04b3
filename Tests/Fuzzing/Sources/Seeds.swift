// SPDX-License-Identifier: MIT
// Prints inputs of the targets for state, from an input of the target `requests`. Finds nothing.

@testable import ObserveCore

/// Sends the lines to a daemon with a journal, and prints its files or a dump, without checksums.
func printSeed(_ input: [UInt8], of target: Target) {
    let daemon: JournaledHub
    do {
        daemon = try JournaledHub { tree in
            var computed = PropertyDeclaration("c", "Any")
            computed.computed = "{i}: {n.k}"
            let properties = [
                PropertyDeclaration("i", "Int"), PropertyDeclaration("s", "String"),
                PropertyDeclaration("n", "[String: String]"), PropertyDeclaration("list", "[T]"), computed,
            ]
            requireEqual(tree.declare([TypeDeclaration("T", properties)]), [], "the type")
            try tree.declare(root: "t", type: "T")
        }
        for (name, json) in [("a", #"{"x":1,"m":{"x":2},"l":[1,{"x":3}]}"#), ("b", "0"), ("t", "{}")] {
            try daemon.tree.define(root: name, json: json)
        }
        if target == .journal { play(input, on: daemon) }
        if target == .snapshot {
            play(input, on: daemon)
            // Writes between the snapshot's slices are in the next journal.
            try daemon.snapshot { play(input, on: daemon) }
        }
        if target == .dump {
            play(input, on: daemon)
            return print(
                String(decoding: Sealing.unseal(dump(of: daemon.tree)), as: UTF8.self),
                terminator: ""
            )
        }
        try daemon.kill()
    } catch { fatalError("\(error)") }
    for name in (try? daemon.disk.names().sorted(by: >)) ?? [] {
        print("!file \(name)")
        print(
            String(decoding: Sealing.unseal(daemon.disk.contents(name) ?? []), as: UTF8.self),
            terminator: ""
        )
    }
}

private func play(_ input: [UInt8], on daemon: JournaledHub) {
    var client: UInt64 = 0
    for part in parts(of: input) {
        switch part {
        case .bytes(let bytes): daemon.client(client + 1).send(bytes: bytes)
        case .directive(let words):
            let number = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
            if words.first == "client" { client = number }
            if words.first == "pass" { daemon.clock.pass(milliseconds: number, in: daemon.hub) }
        }
    }
}
