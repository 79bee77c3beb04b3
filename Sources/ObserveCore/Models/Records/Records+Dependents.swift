// SPDX-License-Identifier: MIT
// Interns the paths that dependents read.

extension Records {
    /// Interns a path for a dependent to read. ``ModelTree/release(_:)`` releases its names.
    mutating func readPath(_ path: ParsedKeyPath) -> ReadPath {
        let end = path.operatorIndex ?? path.count
        var call: OperatorCall?
        if let function = path.collectionOperator {
            call = OperatorCall(
                function: function,
                keyPath: (end + 1..<path.count).map { names.intern(path.name($0)) }
            )
        }
        return ReadPath(
            names: ContiguousArray((0..<end).map { names.intern(path.name($0)) }),
            indices: ContiguousArray((0..<end).map { path.name($0).arrayIndex ?? -1 }),
            call: call
        )
    }
}
