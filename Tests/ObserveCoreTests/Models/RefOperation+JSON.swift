// SPDX-License-Identifier: MIT
// The oracle's writes as requests. Carries nothing out.

@testable import ObserveCore

/// As a JSON string.
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
    /// As an operation of a transaction, which is a request without its id.
    ///
    /// - Parameter asArray: give the path by its components.
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
        if let revision = condition?.revision { params += #","ifRevision":\#(revision)"# }
        if let value = condition?.value { params += #","ifValue":\#(value.json)"# }
        return #"{"method":"\#(write.method)","params":{\#(params)}}"#
    }
}
