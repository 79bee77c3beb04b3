// SPDX-License-Identifier: MIT
// The names of params, and sets of them. Independent of methods.

/// The name of a param of any method. The parser recognizes it once.
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
    @inline(__always)
    init?(_ token: JSONToken) {
        if token.hasEscapes {
            self.init(escaped: token)
        } else {
            self.init(token.view.slice(1..<token.view.count &- 1))
        }
    }

    @inline(never)
    private init?(escaped token: JSONToken) {
        let text = JSONView(token).decodedString()
        guard let name = ParamName.allCases.first(where: { "\($0.text)" == text }) else { return nil }
        self = name
    }

    @inline(__always)
    private init?(_ name: ByteView) {
        guard let found = ParamName.candidate(name), name == found.text else { return nil }
        self = found
    }

    /// The only candidate with the length and first letters of `name`.
    @inline(__always)
    private static func candidate(_ name: ByteView) -> ParamName? {
        let first = name.byteOrZero(0)
        switch name.count {
        case 2: return first == 0x62 ? .by : .at
        case 3:
            switch first {
            case 0x74: return .tag
            case 0x6D: return name.byteOrZero(1) == 0x69 ? .min : .max
            default: return name.byteOrZero(1) == 0x6C ? .old : .own
            }
        case 4:
            switch first {
            case 0x70: return name.byteOrZero(2) == 0x74 ? .path : .part
            case 0x77: return .weak
            case 0x74: return .text
            default: return .last
            }
        case 5:
            switch first {
            case 0x76: return .value
            case 0x69: return .index
            case 0x73: return .since
            case 0x77: return .whole
            case 0x74: return .types
            case 0x66: return .force
            default: return name.byteOrZero(1) == 0x61 ? .paths : .prior
            }
        case 6:
            switch first {
            case 0x74: return name.byteOrZero(1) == 0x61 ? .target : .twoWay
            case 0x73: return .source
            case 0x64: return .dryRun
            default: return .origin
            }
        case 7:
            switch first {
            case 0x70: return .parents
            case 0x62: return .binding
            default: return name.byteOrZero(1) == 0x66 ? .ifValue : .initial
            }
        case 8:
            switch first {
            case 0x6C: return .lifetime
            case 0x74: return .throttle
            case 0x72: return .revision
            default:
                switch name.byteOrZero(2) {
                case 0x73: return .distinct
                case 0x6C: return .delivery
                default: return .debounce
                }
            }
        case 10: return first == 0x69 ? .ifRevision : .operations
        case 12: return .subscription
        default: return nil
        }
    }

    var text: StaticString {
        switch self {
        case .path: "path"
        case .paths: "paths"
        case .value: "value"
        case .target: "target"
        case .source: "source"
        case .index: "index"
        case .by: "by"
        case .min: "min"
        case .max: "max"
        case .weak: "weak"
        case .parents: "parents"
        case .ifRevision: "ifRevision"
        case .ifValue: "ifValue"
        case .lifetime: "lifetime"
        case .operations: "operations"
        case .initial: "initial"
        case .old: "old"
        case .prior: "prior"
        case .distinct: "distinct"
        case .own: "own"
        case .origin: "origin"
        case .delivery: "delivery"
        case .throttle: "throttle"
        case .debounce: "debounce"
        case .since: "since"
        case .subscription: "subscription"
        case .tag: "tag"
        case .whole: "whole"
        case .twoWay: "twoWay"
        case .binding: "binding"
        case .text: "text"
        case .part: "part"
        case .last: "last"
        case .types: "types"
        case .at: "at"
        case .revision: "revision"
        case .force: "force"
        case .dryRun: "dryRun"
        }
    }
}

/// A set of param names.
struct ParamNames: ExpressibleByArrayLiteral, Equatable {
    private var bits: UInt64 = 0

    init() {}

    init(arrayLiteral names: ParamName...) {
        for name in names { insert(name) }
    }

    @inline(__always)
    mutating func insert(_ name: ParamName) { bits |= 1 &<< UInt64(name.rawValue) }

    @inline(__always)
    func contains(_ name: ParamName) -> Bool { bits & 1 &<< UInt64(name.rawValue) != 0 }

    @inline(__always)
    func isSubset(of other: ParamNames) -> Bool { bits & ~other.bits == 0 }
}
