// SPDX-License-Identifier: MIT
// The names of params, and sets of them. Independent of methods.

/// The name of a param of any method. The parser recognizes it once. ``texts`` has them in the same order.
enum ParamName: UInt8, CaseIterable {
    case path, paths, value, target, source, index, by, min, max, weak, parents, ifRevision, ifValue, lifetime
    case operations
    case initial, old, prior, distinct, own, origin, delivery, throttle, debounce, since, subscription, tag,
        whole
    case twoWay, binding
    case text, part, last
    case types
    case at, revision, force, dryRun

    /// Nil for a name that no method uses.
    @inline(__always) init?(_ token: JSONView) {
        if token.hasEscapes {
            self.init(escaped: token)
        } else {
            self.init(token.view.slice(1..<token.view.count &- 1))
        }
    }

    @inline(never) private init?(escaped token: JSONView) {
        guard let name = ParamName.allCases.first(where: { token.names($0.text) }) else { return nil }
        self = name
    }

    @inline(__always) init?(_ name: ByteView) {
        guard let found = ParamName.places[ParamName.place(of: name)], name == found.text else { return nil }
        self = found
    }

    /// The only name that may have a text of this length, first and third letter.
    private static let places: [ParamName?] = {
        var places = [ParamName?](repeating: nil, count: 128)
        for name in allCases {
            let place = place(of: ByteView(name.text))
            precondition(places[place] == nil, "\(name.text) has the place of another name")
            places[place] = name
        }
        return places
    }()

    /// By trial, each name has another place.
    @inline(__always) private static func place(of name: ByteView) -> Int {
        let letters = Int(name.byteOrZero(0)) &* 20 &+ Int(name.byteOrZero(2)) &* 7
        return (name.count &* 2 &+ letters) & 127
    }

    @inline(__always) var text: StaticString { ParamName.texts[Int(rawValue)] }

    private static let texts: [StaticString] = [
        "path", "paths", "value", "target", "source", "index", "by", "min", "max", "weak", "parents",
        "ifRevision", "ifValue", "lifetime",
        "operations",
        "initial", "old", "prior", "distinct", "own", "origin", "delivery", "throttle", "debounce", "since",
        "subscription", "tag", "whole",
        "twoWay", "binding",
        "text", "part", "last",
        "types",
        "at", "revision", "force", "dryRun",
    ]
}

struct ParamNames: ExpressibleByArrayLiteral, Equatable {
    private var bits: UInt64 = 0

    init() {}

    init(arrayLiteral names: ParamName...) { for name in names { insert(name) } }

    @inline(__always) mutating func insert(_ name: ParamName) { bits |= 1 &<< UInt64(name.rawValue) }

    @inline(__always) func contains(_ name: ParamName) -> Bool { bits & 1 &<< UInt64(name.rawValue) != 0 }

    @inline(__always) func isSubset(of other: ParamNames) -> Bool { bits & ~other.bits == 0 }
}
