// SPDX-License-Identifier: MIT
// A request's params by name, each of its type or refused. Knows nothing of what the methods do with them.

/// The params of one request. Every accessor says in its error which param is at fault and what was expected.
///
/// - Lifetime: as long as the request's line.
struct Params {
    let request: Request

    /// Throws for a param that the method does not have, or has and does not support yet.
    func allow(_ known: [StaticString], notYet: [StaticString] = []) throws(WireError) {
        for member in request.members where !known.contains(where: { member.name.names($0) }) {
            let name = JSONView(member.name).decodedString()
            if notYet.contains(where: { member.name.names($0) }) {
                throw .invalidParams("the param \(name) of \(request.method.string) is not supported yet")
            }
            throw .invalidParams("\(request.method.string) has no param \(name)")
        }
    }

    /// The value of that param; of several with one name the last, as everywhere in JSON here.
    func value(_ name: StaticString) -> JSONView? {
        guard let member = request.members.last(where: { $0.name.names(name) }) else { return nil }
        return JSONView(member.value)
    }

    func required(_ name: StaticString) throws(WireError) -> JSONView {
        guard let value = value(name) else {
            throw .invalidParams("\(request.method.string) needs the param \(name)")
        }
        return value
    }

    func bool(_ name: StaticString, default fallback: Bool) throws(WireError) -> Bool {
        guard let value = value(name) else { return fallback }
        switch value.kind {
        case .true: return true
        case .false: return false
        default: throw .invalidParams("the param \(name) is true or false")
        }
    }

    func revision(_ name: StaticString) throws(WireError) -> UInt64? {
        guard let value = value(name) else { return nil }
        guard let revision = value.int64(), revision >= 0 else {
            throw .invalidParams("the param \(name) is a revision: an integer that is not negative")
        }
        return UInt64(revision)
    }

    func string(_ name: StaticString) throws(WireError) -> String? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string else { throw .invalidParams("the param \(name) is a string") }
        return value.decodedString()
    }
}
