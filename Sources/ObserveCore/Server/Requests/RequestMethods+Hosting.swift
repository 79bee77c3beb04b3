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
                // Also in the middle of a request.
                let (session, occasion) = unsafe (clients.writer.session, clients.writer.occasion)
                clients.act(for: nil)
                clients.act(on: 0)
                tree.commit {}
                clients.act(for: session)
                clients.act(on: occasion)
                didCommit()
            }
        }
    }

    func endHosting() { tree.endHosting() }
}
