// SPDX-License-Identifier: MIT
// Swift models in the hub's tree. Independent of classes and properties.

extension RequestMethods {
    /// The Swift models of the tree.
    /// - Parameters:
    ///   - checkThread: Traps on a thread where the models must not be used.
    ///   - didCommit: Called after the events of the program's own assignments.
    func hostedModels(checkThread: @escaping () -> Void, didCommit: @escaping () -> Void) -> HostedModels {
        tree.hostedModels {
            HostedModels(in: tree, checkThread: checkThread) { [unowned self] in
                commitByProgram {}
                didCommit()
            }
        }
    }

    func endHosting() { tree.endHosting() }

    /// Commits on behalf of the program, also in the middle of a request.
    func commitByProgram(_ body: () -> Void) {
        let (session, occasion) = unsafe (clients.writer.session, clients.writer.occasion)
        clients.act(for: nil)
        clients.act(on: 0)
        tree.commit(body)
        clients.act(for: session)
        clients.act(on: occasion)
    }
}
