// SPDX-License-Identifier: MIT
// Refuses bindings that the declared types rule out. Independent of values.

extension BindingTree {
    /// Throws if the declared types rule out that the target ever holds a value of the source, apart from null.
    func refuseUnfit(_ source: ParsedKeyPath, to target: ParsedKeyPath) throws(TreeError) {
        let to = try typing.declared(along: target, in: records).type
        let from: ValueType =
            switch source.operatorIndex.flatMap({ CollectionOperator(source.name($0)) }) {
            case nil: try typing.declared(along: source, in: records).type
            case .count?: .int
            case .sum?, .avg?: .double
            case .unionOfObjects?, .distinctUnionOfObjects?: .array(.any)
            case .min?, .max?: .any
            }
        if typing.types.mayHold(to, from) { return }
        let (found, wanted) = (typing.types.text(of: from), typing.types.text(of: to))
        throw TreeError(
            kind: .typeMismatch,
            message:
                "\(target.escaped): expected \(wanted), and \(source.escaped) is \(found), so the binding could never write",
            path: target.escaped,
            declared: wanted,
            found: found
        )
    }

    /// Throws if the declared types never permit a write to the path.
    func refuseFixed(_ path: ParsedKeyPath) throws(TreeError) {
        if let refusal = try typing.declared(along: path, in: records).refusal(at: path.escaped) {
            throw refusal
        }
    }
}
