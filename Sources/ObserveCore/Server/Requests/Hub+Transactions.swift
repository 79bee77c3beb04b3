// SPDX-License-Identifier: MIT
// transaction: several writes as one commit. Knows no write by itself.

extension Hub {
    /// The methods of the contract that are no writes: they exist, and yet can't be operations.
    private static let otherMethods: [StaticString] = [
        "get", "transaction", "subscribe", "unsubscribe", "bind", "unbind", "bindings", "describe", "dump",
        "load", "status", "rpc.discover", "ping",
    ]

    func transaction(_ params: Params) throws(WireError) {
        try params.allow([.operations])
        let operations = try params.required(.operations)
        guard operations.kind == .array, !operations.isEmpty else {
            throw .invalidParams("the param operations is an array of at least one operation")
        }
        try requireJournal()
        outcomes.removeAll()
        let changed = try tree.commit { () throws(WireError) in
            try operations.forEachElement { (operation) throws(WireError) in
                do throws(WireError) { outcomes.append(try execute(operation)) } catch {
                    var error = error
                    error.operation = outcomes.count
                    throw error
                }
            }
        }
        answer.beginWriteResult(revision, changed: changed)
        answer.append(",\"results\":[")
        for index in outcomes.indices {
            if index > 0 { answer.append(0x2C) }
            append(outcomes[index])
        }
        answer.append("]}")
        outcomes.removeAll()
    }

    /// Carries out one operation within the transaction's commit.
    private func execute(_ json: JSONView) throws(WireError) -> WriteOutcome {
        try operation.parse(operation: json)
        let method = operation.method
        guard let write = WriteMethod(method) else {
            guard !Hub.otherMethods.contains(where: { method == $0 }) else {
                throw .invalidParams("\(method.string) is no write, so it can't be an operation")
            }
            throw WireError(.methodNotFound, unknownMethod(method))
        }
        let outcome = try execute(write, Params(request: operation))
        tree.endOperation()
        return outcome
    }
}
