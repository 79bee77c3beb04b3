// SPDX-License-Identifier: MIT
// A request's or operation's params by name and type, which errors name. Independent of methods.

extension Request {
    /// Throws if the request has a param outside of `known`.
    @inline(__always) func allow(_ known: ParamNames) throws(WireError) {
        guard unknownParam != nil || !given.isSubset(of: known) else { return }
        throw refusal(known)
    }

    @inline(never) private func refusal(_ known: ParamNames) -> WireError {
        let method = self.method.string
        if let unknown = unknownParam {
            return .invalidParams("\(method) has no param \(unknown.decodedString())")
        }
        for name in ParamName.allCases where given.contains(name) && !known.contains(name) {
            return .invalidParams("\(method) has no param \(name.text)")
        }
        preconditionFailure("all params are allowed")
    }

    func required(_ name: ParamName) throws(WireError) -> JSONView {
        guard let value = value(name)
        else { throw .invalidParams("\(method.string) needs the param \(name.text)") }
        return value
    }

    func bool(_ name: ParamName, default fallback: Bool) throws(WireError) -> Bool {
        guard let value = value(name) else { return fallback }
        switch value.kind {
        case .true: return true
        case .false: return false
        default: throw .invalidParams("the param \(name.text) is true or false")
        }
    }

    func revision(_ name: ParamName) throws(WireError) -> UInt64? {
        try natural(name, "a revision").map { UInt64($0) }
    }

    func index(_ name: ParamName) throws(WireError) -> Int64? { try natural(name, "an index") }

    private func natural(_ name: ParamName, _ what: StaticString) throws(WireError) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.int64(), number >= 0
        else { throw .invalidParams("the param \(name.text) is \(what): an integer that is not negative") }
        return number
    }

    func string(_ name: ParamName) throws(WireError) -> String? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string else { throw .invalidParams("the param \(name.text) is a string") }
        return value.decodedString()
    }
}
