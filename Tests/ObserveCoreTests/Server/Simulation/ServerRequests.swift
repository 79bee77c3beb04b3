// SPDX-License-Identifier: MIT
// Random requests of simulated clients. Independent of their answers.

@testable import ObserveCore

/// Makes requests about the roots `a` and `b`, which may be anything, and `s`, which stays a model.
struct ServerRequests: RandomModels {
    var random: SeededGenerator
    var lastModel = 0

    static let paths = [
        "a", "a.x", "a.y", "a.m", "a.m.k", "a.m.n.z", "a.r", "a.r.0", "a.r.1.k", "a.w", "a.w.k", "b", "b.m.k",
        "b.l", "b.l.k", "s.n", "s.bound", "a.r.@count",
    ]
    private static let patterns = ["a.*", "*.m", "a.r.*", "*.m.*", "s.*"]
    private static let bases = [["a"], ["b"], ["s"], ["a", "m"], []]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    // MARK: Values

    mutating func scalar() -> String {
        pick(["0", "1", "1.0", "2", "null", "true", #""t""#, #""a longer text, with \\\" and ü""#])
    }

    mutating func array() -> String {
        let elements = (0..<below(4)).map { _ in below(4) == 0 ? model(2) : scalar() }
        return "[\(elements.joined(separator: ","))]"
    }

    // MARK: Writes

    /// The method and params of a write. The server may refuse it.
    mutating func write() -> String {
        func call(_ method: String, _ path: String, _ rest: String = "") -> String {
            #""method":"\#(method)","params":{"path":"\#(path)"\#(rest)}"#
        }
        switch below(36) {
        case 34..<36: return load()
        case 0..<6:
            let path = pick(["a.x", "a.y", "a.m.k", "a.m.n.z", "b.m.k", "a.w.k", "b.l.k"])
            return call("set", path, #","value":\#(scalar())"#)
        case 6..<9: return call("set", pick(["a.m", "a.m.n", "b.m", "a.r.1"]), #","value":\#(model())"#)
        case 9: return call("set", pick(["a", "b"]), #","value":\#(model())"#)
        case 10: return call("set", pick(["a.m", "a.m.n", "b", "b.l", "a.w"]), #","value":null"#)
        case 11..<13: return call("set", "a.r", #","value":\#(array())"#)
        case 13..<15: return call("set", pick(["a.r.0", "a.r.1", "a.r.2"]), #","value":\#(scalar())"#)
        case 15: return call("remove", pick(["a.r.0", "a.r.1", "a.r", "a.x", "b.l"]))
        case 16: return call("remove", pick(["a", "b", "a.m", "b.m"]))
        case 17..<19:
            let target = pick(["a.m", "b.m", "a.m.n"])
            return call("link", pick(["b.l", "a.m", "a.r.0"]), #","target":"\#(target)""#)
        case 19..<21: return call("link", "a.w", #","target":"\#(pick(["a.m", "b.m"]))","weak":true"#)
        case 21..<23: return call("insert", "a.r", #","value":\#(scalar()),"index":\#(below(2))"#)
        case 23..<25:
            let path = pick(["a.x", "a.m.k", "b", "b.l", "a.m", "s.t"])
            let value = below(2) == 0 ? scalar() : model(1)
            let lifetime = pick([#""connection""#, #""connection""#, "5", "80", "3000"])
            return call("set", path, #","value":\#(value),"lifetime":\#(lifetime)"#)
        case 25:
            return call("link", pick(["a.w", "b.l"]), #","target":"a.m","lifetime":"connection""#)
        case 26: return call("merge", "s", #","value":{"x":\#(scalar()),"y":\#(scalar())}"#)
        case 27: return call("set", "a.x", #","value":\#(scalar()),"ifValue":\#(scalar())"#)
        case 28..<30: return transaction()
        default: return call("increment", "s.n")
        }
    }

    /// In one part, sometimes with a fault.
    private mutating func load() -> String {
        let path = pick(["a", "a.m", "a.m.n", "a.r", "a.r", "b", "b.m", "b.none.k", "s.t"])
        var text = path == "a.r" ? array() : model()
        // Of several members with one name, the last counts.
        if below(4) == 0, text.hasPrefix("{") { text = #"{"m":\#(model(1)),"k":[],\#(text.dropFirst())"# }
        if below(8) == 0 { text.removeLast() }
        let escaped = text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
        return #""method":"load","params":{"path":"\#(path)","text":"\#(escaped)"}"#
    }

    private mutating func transaction() -> String {
        var operations: [String] = []
        for _ in 0...below(3) {
            let operation = write()
            if !operation.contains("transaction"), !operation.contains(#""load""#) {
                operations.append("{\(operation)}")
            }
        }
        if operations.isEmpty { operations = [#"{"method":"increment","params":{"path":"s.n"}}"#] }
        return #""method":"transaction","params":{"operations":[\#(operations.joined(separator: ","))]}"#
    }

    mutating func binding(_ count: Int) -> String {
        if count > 1 || below(4) == 0 { return #""method":"unbind","params":{"binding":\#(1 + below(6))}"# }
        let target = pick(["s.bound", "b.m.k", "s.y"])
        return
            #""method":"bind","params":{"source":"\#(pick(["a.x", "a.m.k", "s.n"]))","target":"\#(target)","twoWay":\#(below(3) == 0)}"#
    }

    // MARK: Subscriptions

    mutating func subscription() -> SimulatedSubscription {
        let paths: SimulatedSubscription.Paths
        switch below(6) {
        case 0..<3:
            let count = 1 + below(5)
            paths = .literal(Array(Self.paths.shuffled(using: &random).prefix(count)))
        case 3: paths = .pattern(pick(Self.patterns))
        default: paths = .below(pick(Self.bases))
        }
        var subscription = SimulatedSubscription(paths: paths)
        subscription.hasInitial = below(4) > 0
        var options = #""initial":\#(subscription.hasInitial)"#
        if below(3) == 0 { options += #","old":true"# }
        if below(4) == 0 { options += #","prior":true"# }
        if below(4) == 0 { options += #","distinct":false"# }
        if below(4) == 0 { options += #","origin":true"# }
        if below(5) == 0 { options += #","whole":true"# }
        if below(6) == 0 {
            options += #","own":false"#
            subscription.isExact = false
        }
        switch below(8) {
        case 0: options += #","delivery":"every""#
        case 1:
            options += #","throttle":\#(pick([3, 50, 900]))"#
            subscription.isPaced = true
        case 2:
            options += #","debounce":\#(pick([3, 50]))"#
            subscription.isPaced = true
        default: break
        }
        subscription.options = options
        return subscription
    }
}
