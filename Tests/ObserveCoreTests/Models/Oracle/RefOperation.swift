// SPDX-License-Identifier: MIT
// The oracle's writes, and their requests. Independent of their effects.

@testable import ObserveCore

/// A write for the oracle.
enum RefWrite {
    case set([String], Draft, parents: Bool)
    case merge([String], Draft)
    case remove([String])
    case insert([String], RefSource, index: Int?)
    /// By one, unless `by` is given.
    case increment([String], by: Draft?)
    case link([String], target: [String], isWeak: Bool)

    var names: [String] {
        switch self {
        case .set(let names, _, _), .merge(let names, _), .remove(let names), .insert(let names, _, _),
            .increment(let names, _), .link(let names, _, _):
            names
        }
    }
}

/// The source of an inserted element.
enum RefSource {
    case value(Draft)
    case target([String])
}

/// A write and its conditions.
struct RefOperation {
    var write: RefWrite
    var condition: RefCondition?
    /// For `set` and `link`.
    var lifetime: RefLifetime?
}

struct RefCondition {
    var revision: UInt64?
    var value: Draft?
}

/// The outcome of a write.
struct RefOutcome: Equatable {
    var changed: Bool
    /// An increment's sum.
    var value: RefValue?

    static func == (a: RefOutcome, b: RefOutcome) -> Bool {
        a.changed == b.changed && a.value?.json == b.value?.json
    }
}

/// The text as a JSON string.
func quoted(_ text: String) -> String { Value.string(text).json }

extension RefWrite {
    var method: String {
        switch self {
        case .set: "set"
        case .merge: "merge"
        case .remove: "remove"
        case .insert: "insert"
        case .increment: "increment"
        case .link: "link"
        }
    }
}

extension RefOperation {
    /// The write as an operation of a transaction: a request without its id.
    ///
    /// - Parameter asArray: whether to send the path as an array of components.
    func json(asArray: Bool) -> String {
        let names = write.names
        let path = asArray ? Value.array(names.map(Value.string)).json : quoted(dotted(names[...]))
        var params = #""path":\#(path)"#
        switch write {
        case .set(_, let draft, let parents):
            params += #","value":\#(draft.json)\#(parents ? #","parents":true"# : "")"#
        case .merge(_, let patch): params += #","value":\#(patch.json)"#
        case .remove: break
        case .insert(_, let source, let index):
            switch source {
            case .value(let draft): params += #","value":\#(draft.json)"#
            case .target(let target): params += #","target":\#(quoted(dotted(target[...])))"#
            }
            if let index { params += #","index":\#(index)"# }
        case .increment(_, let step): if let step { params += #","by":\#(step.json)"# }
        case .link(_, let target, let isWeak):
            params += #","target":\#(quoted(dotted(target[...])))\#(isWeak ? #","weak":true"# : "")"#
        }
        if let lifetime { params += #","lifetime":\#(lifetime.json)"# }
        if let revision = condition?.revision { params += #","ifRevision":\#(revision)"# }
        if let value = condition?.value { params += #","ifValue":\#(value.json)"# }
        return #"{"method":"\#(write.method)","params":{\#(params)}}"#
    }
}
