// SPDX-License-Identifier: MIT
// A dump is refused, or loaded in any pieces with the same result, whose own dump loads to the same tree.
//
// The lines have no checksums: see `Sealing`. After the directive `!raw` they are the text as it is.

@testable import ObserveCore

func fuzzDump(_ input: [UInt8]) {
    var text: [UInt8] = []
    var isRaw = false
    for part in parts(of: input) {
        switch part {
        case .bytes(let bytes): text += isRaw ? bytes : Sealing.seal(bytes)
        case .directive(let words): isRaw = isRaw || words == ["raw"]
        }
    }
    let tree = populated()
    let whole = load(text, pieceCount: max(text.count, 1), into: tree)
    let other = populated()
    let pieces = load(text, pieceCount: 7, into: other)
    requireEqual(whole, pieces, "two results of one dump")
    requireEqual(tree.faults(), [], "after \(whole ?? "loading")")
    guard whole == nil else {
        return requireEqual(tree.stateDump, populated().stateDump, "a refused dump changed the tree")
    }
    requireEqual(tree.shape(), other.shape(), "two trees of one dump")
    checkDump(of: tree)
}

private func populated() -> ModelTree {
    let tree = ModelTree()
    let type = TypeDeclaration("T", [PropertyDeclaration("i", "Int"), PropertyDeclaration("n", "T?")])
    requireEqual(tree.declare([type]), [], "the type")
    do {
        try tree.declare(root: "t", type: "T")
        try tree.define(root: "a", json: #"{"b":{"x":1},"l":[1,2]}"#)
        try tree.define(root: "t", json: #"{"i":1}"#)
        try tree.bind(source: "a.b.x", target: "c", isTwoWay: true)
    } catch { fatalError("\(error)") }
    return tree
}

/// Loads the text; returns the reason of a refusal.
private func load(_ text: [UInt8], pieceCount: Int, into tree: ModelTree) -> String? {
    let reader = DumpReader()
    do throws(DumpFault) {
        var start = 0
        while start < text.count {
            let end = min(start + pieceCount, text.count)
            try reader.consume(Array(text[start..<end]))
            start = end
        }
        try reader.finish()
    } catch { return error.description }
    _ = reader.json
    do throws(TreeError) { _ = try tree.load(reader) } catch { return error.message }
    return nil
}

/// The dump of all roots.
func dump(of tree: ModelTree) -> [UInt8] {
    let view = ReadView(of: tree, .init(epoch: "e", clock: WallClock(offset: 0)))
    let out = ByteBuffer()
    while !view.isDone { view.write(to: out, bytes: 1 << 20) }
    return out.array
}

private func checkDump(of tree: ModelTree) {
    let text = dump(of: tree)
    let fresh = populated()
    if let refusal = load(text, pieceCount: max(text.count, 1), into: fresh) {
        fatalError("a dump of this tree is refused: \(refusal)\n\(String(decoding: text, as: UTF8.self))")
    }
    requireEqual(fresh.shape(), tree.shape(), "a loaded dump differs")
}
