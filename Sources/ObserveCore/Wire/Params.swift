// SPDX-License-Identifier: MIT
// A request's params by name, each of its type or refused. Knows nothing of what the methods do with them.

/// The params of one request, or of one operation in a transaction. Every accessor says in its error which param is at fault and what was expected.
///
/// - Lifetime: as long as the request's line.
struct Params {
    let request: Request

    /// Throws for a param that the method does not have, or has and does not support yet.
    func allow(_ known: [StaticString], notYet: [StaticString] = []) throws(WireError) {
        for index in request.members.indices {
            let member = request.members[index]
            if known.contains(where: { member.name.names($0) }) { continue }
            let name = JSONView(member.name).decodedString()
            if notYet.contains(where: { member.name.names($0) }) {
                throw .invalidParams("the param \(name) of \(request.method.string) is not supported yet")
            }
            throw .invalidParams("\(request.method.string) has no param \(name)")
        }
    }

    /// The value of that param; of several with one name the last, as everywhere in JSON here.
    func value(_ name: StaticString) -> JSONView? {
        for index in request.members.indices.reversed() where request.members[index].name.names(name) {
            return JSONView(request.members[index].value)
        }
        return nil
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

    /// A place in an array.
    func index(_ name: StaticString) throws(WireError) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let index = value.int64(), index >= 0 else {
            throw .invalidParams("the param \(name) is an index: an integer that is not negative")
        }
        return index
    }

    func string(_ name: StaticString) throws(WireError) -> String? {
        guard let value = value(name) else { return nil }
        guard value.kind == .string else { throw .invalidParams("the param \(name) is a string") }
        return value.decodedString()
    }
}
