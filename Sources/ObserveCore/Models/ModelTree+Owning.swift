// SPDX-License-Identifier: MIT
// What a tree's owner sets: limits, callbacks, authors, hosted models. Independent of writes.

extension ModelTree {
    /// Sets other limits, but for `maxDepth`: the records and the parsers of paths were made with it.
    func adopt(_ limits: TreeLimits) {
        let depth = records.limits.maxDepth
        records.limits = limits
        records.limits.maxDepth = depth
    }

    /// Has `sink` called for every change on an observed path; nil for none. It removes itself before it goes.
    func notify(_ sink: (any ChangeSink)?) { hooks.sink = sink }

    /// The recorder gets no more commits.
    func stopRecording() { history.undoing.isRecording = false }

    // MARK: Authors

    /// Who asks for the commits from now on.
    @inline(__always)
    func setAuthor(_ author: CommitAuthor) { pending.author = author }

    /// The lifetime whose end is the next commit, as a code; 0 for none.
    func setEndingLifetime(_ code: Int64) { pending.author.lifetime = code }

    /// Runs `body` as one commit, whose changes have that cause.
    func commit(causedBy cause: ChangeCause, _ body: () -> Void) {
        commit {
            pending.cause = cause
            body()
            pending.cause = .writer
        }
    }

    // MARK: Hosted models

    /// The Swift models of the tree, made by `make` if there are none.
    func hostedModels(_ make: () -> HostedModels) -> HostedModels {
        if let hosted { return hosted }
        let made = make()
        hosted = made
        return made
    }

    /// Lets go of the Swift models of the tree.
    func endHosting() { hosted = nil }
}
