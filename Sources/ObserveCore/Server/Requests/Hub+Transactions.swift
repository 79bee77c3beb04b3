// SPDX-License-Identifier: MIT
// transaction: several writes as one commit. Independent of their effects.

extension Hub {
    func transaction(_ params: Params) throws(WireError) {
        let operations = try params.required(.operations)
        guard operations.kind == .array, !operations.isEmpty else {
            throw .invalidParams("the param operations is an array of at least one operation")
        }
        if operations.hasElements(beyond: limits.maxOperations) {
            throw tooManyOperations("a transaction", "operations")
        }
        defer { reply.outcomes.removeAll() }
        let changed = try tree.commit(refusingAs: { WireError(tooLarge($0)) }) { () throws(WireError) in
            try operations.forEachElement { (operation) throws(WireError) in
                do throws(WireError) { reply.outcomes.append(try execute(operation)) } catch {
                    var error = error
                    error.operation = reply.outcomes.count
                    throw error
                }
            }
        }
        let isHidden = reply.outcomes.indices.contains { reply.outcomes[$0].isHidden }
        answer.beginWriteResult(revision, changed: isHidden ? nil : changed)
        answer.append(",\"results\":[")
        for index in reply.outcomes.indices {
            if index > 0 { answer.append(0x2C) }
            append(reply.outcomes[index])
        }
        answer.append("]}")
    }

    /// Executes one operation within the transaction's commit.
    private func execute(_ json: JSONView) throws(WireError) -> WriteOutcome {
        let operation = parsed.operation
        try operation.parse(operation: json)
        guard let method = MethodName(operation.method) else { throw .methodNotFound(operation.method) }
        guard method.rules.isWrite else {
            throw .invalidParams("\(operation.method.string) is not a write, so it can't be an operation")
        }
        let outcome = try execute(method, Params(request: operation))
        tree.endOperation()
        return outcome
    }
}
