// SPDX-License-Identifier: MIT
// Evaluations of expressions that read objects with `@Observable`. Independent of values.

internal import Observation

extension Observer {
    /// Runs `body`, and follows the objects with `@Observable` that it reads.
    /// - Returns: False if it is the first evaluation that read one: `body` must run again.
    func trackToolchain(_ body: () -> Void) -> Bool {
        guard let former = toolchainUse.reads else { return findToolchain(body) }
        let reads = ToolchainReads(of: self, at: former.home)
        withObservationTracking {
            body()
            reads.read()
        } onChange: {
            reads.willChange()
        }
        former.removeAll()
        if isCancelled { reads.removeAll() } else { toolchainUse = .following(reads) }
        return true
    }

    private func findToolchain(_ body: () -> Void) -> Bool {
        var hasFound = false
        withObservationTracking(body, onChange: ignoring(&hasFound))
        guard hasFound, let home else {
            if case .unknown = toolchainUse { toolchainUse = .none }
            return true
        }
        if home.actor == nil {
            DeveloperNote.say(
                "an observation without an actor reads an object with @Observable, so it is not notified of its changes"
            )
        }
        toolchainUse = .following(ToolchainReads(of: self, at: home))
        return false
    }

    /// The toolchain asks for the closure only if an object of its own was read.
    private func ignoring(_ hasFound: inout Bool) -> @Sendable () -> Void {
        hasFound = true
        return {}
    }
}
