// SPDX-License-Identifier: MIT
// Random writes of all kinds. The hub may refuse many of them.

@testable import ObserveCore

extension CatchingUpRun {
    mutating func scalar() -> String { pick(["0", "1", "1.0", "2", "3", "null", "true", #""t""#]) }

    private func call(_ method: String, _ path: String, _ rest: String = "") -> String {
        #""method":"\#(method)","params":{"path":"\#(path)"\#(rest)}"#
    }

    /// The method and params of a write.
    mutating func operation() -> String {
        switch below(32) {
        case 0..<7:
            let path = pick(["a.x", "a.y", "a.m.k", "a.m.n.z", "b.m.k", "a.w.k", "b.l.k", "c.x", "a.m.z"])
            return call("set", path, #","value":\#(scalar())"#)
        case 7..<10: return call("set", pick(["a.m", "a.m.n", "b.m", "a.r.1"]), #","value":\#(model())"#)
        case 10: return call("set", pick(["a", "b", "c"]), #","value":\#(model())"#)
        case 11: return call("set", pick(["a.m", "a.m.n", "b", "b.l", "a.w"]), #","value":null"#)
        case 12: return call("set", "a.r", #","value":\#(array())"#)
        case 13..<15: return call("set", pick(["a.r.0", "a.r.1", "a.r.0.1"]), #","value":\#(scalar())"#)
        case 15..<18:
            let value = below(4) == 0 ? model(2) : scalar()
            return call("insert", pick(["a.r", "a.r.0"]), #","value":\#(value),"index":\#(below(2))"#)
        case 18: return call("remove", pick(["a.r.0", "a.r.1", "a.r", "a.x", "b.l", "a.m.k", "a.r.0.0"]))
        case 19: return call("remove", pick(["a", "b", "a.m", "b.m", "c", "c"]))
        case 20: return call("set", "c", #","value":\#(model(2))"#)
        case 21..<23:
            let target = pick(["a.m", "b.m", "a.m.n"])
            return call("link", pick(["b.l", "a.m", "a.r.0"]), #","target":"\#(target)""#)
        case 23..<25:
            let target = pick(["a.m", "b.m", "a.m.n"])
            guard plan.hasWeak else { return call("link", "b.l", #","target":"\#(target)""#) }
            return call("link", "a.w", #","target":"\#(target)","weak":true"#)
        case 25..<27: return merge()
        default: return call("increment", "s.n")
        }
    }

    /// A merge into an existing model: a new one would have no `id`.
    private mutating func merge() -> String {
        let path = pick(["a", "a.m", "b", "c", "b.m"])
        let names = CatchingUpPattern.split(path)
        guard let image = truth.image(truth.revision), case .model = image.cell(names) else {
            return call("increment", "s.n")
        }
        return call("merge", path, #","value":{"k":\#(scalar()),"x":\#(scalar()),"z":\#(scalar())}"#)
    }

    mutating func write() {
        switch below(24) {
        case 0: awayAndBack()
        case 1, 2: temporaryValue()
        case 3: away(root: pick(["a", "b", "c"]))
        case 4..<8:
            let operations = (0...below(4)).map { _ in "{\(operation())}" }.joined(separator: ",")
            ask(writer, #""method":"transaction","params":{"operations":[\#(operations)]}"#)
        default: ask(writer, operation())
        }
    }

    mutating func ask(_ client: FakeClient, _ request: String) {
        note(request)
        _ = client.ask(#"{"id":1,\#(request)}"#)
        truth.record()
    }

    /// A root goes and comes, and perhaps has the same values again.
    private mutating func away(root: String) {
        ask(writer, call("remove", root))
        if below(2) == 0 { act(on: pick(clients)) }
        lastModel += 1
        ask(writer, call("set", root, #","value":{"id":\#(lastModel),"x":\#(scalar()),"m":\#(model(1))}"#))
    }

    /// A model goes to another place and comes back, with a change.
    private mutating func awayAndBack() {
        let (path, keep) = (pick(["a.m", "b.m", "a.m.n"]), "\(pick(["a", "b"])).k")
        ask(writer, call("link", keep, #","target":"\#(path)""#))
        ask(writer, call("set", "\(path).z", #","value":\#(scalar())"#))
        ask(writer, call("set", path, #","value":null"#))
        if below(2) == 0 { act(on: pick(clients)) }
        ask(writer, call("link", path, #","target":"\#(keep)""#))
        ask(writer, call("remove", keep))
    }

    private mutating func temporaryValue() {
        let path = pick(["a.x", "a.m.k", "a.m", "b.m", "c", "c.x", "a.y"])
        let value = path.hasSuffix("m") || path == "c" ? model(1) : scalar()
        switch below(4) {
        case 0: ask(holder, call("set", path, #","value":\#(value),"lifetime":"connection""#))
        case 1:
            note("the holder goes")
            holder.close()
            truth.record()
            lastToken += 1
            holder = FakeClient(hub, token: lastToken)
        default: ask(writer, call("set", path, #","value":\#(value),"lifetime":\#(pick([1, 5, 20, 60]))"#))
        }
    }
}
