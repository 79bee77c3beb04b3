// SPDX-License-Identifier: MIT
// Swift models in the hub's tree. Knows nothing of classes or properties.

extension Hub {
    /// The Swift models of the tree.
    /// - Parameters:
    ///   - checkThread: Traps where they must not be used.
    ///   - didCommit: Called when the program's own assignments have been told.
    func hostedModels(checkThread: @escaping () -> Void, didCommit: @escaping () -> Void) -> HostedModels {
        tree.hostedModels {
            HostedModels(in: tree, checkThread: checkThread) { [unowned self] in
                commitByProgram {}
                didCommit()
            }
        }
    }

    /// Makes a commit that is the program's own, whoever's request is being carried out.
    func commitByProgram(_ body: () -> Void) {
        let (formerWriter, formerLifetime) = (writer, endingLifetime)
        act(for: nil)
        endingLifetime = nil
        tree.commit(body)
        act(for: formerWriter)
        endingLifetime = formerLifetime
    }
}
