// SPDX-License-Identifier: MIT
// transaction: several writes as one commit. Independent of their effects.

extension Hub {
    func transaction(_ params: Request) throws(WireError) {
        let operations = try params.required(.operations)
        guard operations.kind == .array, !operations.isEmpty
        else { throw .invalidParams("the param operations is an array of at least one operation") }
        if operations.hasElements(beyond: clients.limits.maxOperations) {
            throw tooManyOperations("a transaction", "operations")
        }
        defer { reply.outcomes.removeAll() }
        let (changed, preview) = try commit(params) { () throws(WireError) in try execute(all: operations) }
        let isHidden = reply.outcomes.indices.contains { reply.outcomes[$0].isHidden }
        answer.beginWriteResult(clients.revision, changed: isHidden ? nil : changed)
        answer.append(",\"results\":", arrayOf: reply.outcomes.indices) { append(reply.outcomes[$0]) }
        answer.append(0x7D)
        if let preview, !isHidden { append(preview) }
    }

    private func execute(all operations: JSONView) throws(WireError) {
        for operation in operations.elements {
            do throws(WireError) { reply.outcomes.append(try execute(operation)) } catch {
                var error = error
                error.operation = reply.outcomes.count
                throw error
            }
        }
    }

    private func execute(_ json: JSONView) throws(WireError) -> WriteOutcome {
        let operation = parsed.operation
        try operation.parse(operation: json)
        guard let method = MethodName(operation.method) else { throw .methodNotFound(operation.method) }
        guard method.rules.isWrite else {
            throw .invalidParams("\(operation.method.string) is not a write, so it can't be an operation")
        }
        guard operation.value(.dryRun) == nil
        else { throw .invalidParams("an operation has no param dryRun: the transaction has it for all") }
        let outcome = try execute(method, operation)
        tree.endOperation()
        return outcome
    }
}
