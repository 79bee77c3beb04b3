// SPDX-License-Identifier: MIT
// Errors of key paths and of the tree, as errors of the protocol.

extension WireError {
    init(_ error: KeyPathError, param: ParamName) {
        let message = "the param \(param.text): \(error.description)"
        self.init(error.exceedsLimit ? .limitExceeded : .invalidParams, message)
        if let column = error.column { found = "\"column\":\(column)" }
    }

    init(_ error: TreeError) {
        let code: Code =
            switch error.kind {
            case .notFound: .notFound
            case .typeMismatch: .typeMismatch
            case .readOnly: .readOnly
            case .conflict: .conflict
            case .limitExceeded: .limitExceeded
            case .referenceCycle: .referenceCycle
            case .invalidValue: .invalidParams
            }
        self.init(code, error.sentence, path: error.path)
        var members: [(String, Value)] = []
        if let declared = error.declared { members.append(("declared", .string(declared))) }
        if let found = error.found { members.append(("found", .string(found))) }
        if let nearest = error.nearest { members.append(("nearest", .string(nearest))) }
        if let revision = error.revision { members.append(("revision", .int(Int64(revision)))) }
        if let column = error.column { members.append(("column", .int(Int64(column)))) }
        if !members.isEmpty {
            found = String(Value.object(ValueMembers(members)).json.dropFirst().dropLast())
        }
    }

    static func methodNotFound(_ method: ByteView) -> WireError {
        WireError(.methodNotFound, "method not found: \(method.prefix(min(method.count, 80)).string)")
    }
}
