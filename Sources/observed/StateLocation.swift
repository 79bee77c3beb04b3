// SPDX-License-Identifier: MIT
// The folder in which models persist. Independent of the disk.

internal import ObserveCore

package enum StateLocation {
    /// `--state`, else ``UserFolder/state(_:)``. Nil if models do not persist, or without a home.
    package static func folder(_ option: Arguments.StateOption, environment: (String) -> String?) -> String? {
        switch option {
        case .none: return nil
        case .folder(let path): return path
        case .standard:
            return UserFolder.state(environment)
        }
    }
}

/// A failure to use the state, as one sentence.
struct StateFailure: Error, CustomStringConvertible {
    let description: String
}

extension StateFailure {
    init(_ path: String, _ error: StateError) {
        let remedy = error.remedy.map { "; \($0)" } ?? ""
        self.init(description: "the state in \(path) can't be used: \(error)\(remedy)")
    }
}
