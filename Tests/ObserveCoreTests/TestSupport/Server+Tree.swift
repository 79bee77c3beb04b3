// SPDX-License-Identifier: MIT
// The tree of a server, for tests.

@testable import ObserveCore

extension Server {
    func withTree<Result, Fault: Error>(_ body: (ModelTree) throws(Fault) -> Result) throws(Fault) -> Result {
        try onQueue { (loop) throws(Fault) in try loop.withTree(body) }
    }
}
