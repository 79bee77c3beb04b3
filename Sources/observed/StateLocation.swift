// SPDX-License-Identifier: MIT
// The folder in which models persist. Independent of the disk.

package enum StateLocation {
    /// `--state`, else `observed` in `$XDG_STATE_HOME`. As its specification says, that is `~/.local/state` if the
    /// variable is unset, empty or not absolute. Nil if models do not persist, or without a home.
    package static func folder(_ option: Arguments.StateOption, environment: (String) -> String?) -> String? {
        switch option {
        case .none: return nil
        case .folder(let path): return path
        case .standard:
            let home = environment("HOME").map { "\($0)/.local/state" }
            let folder = [environment("XDG_STATE_HOME"), home].compactMap { $0 }.first { $0.hasPrefix("/") }
            return folder.map { "\($0)/observed" }
        }
    }
}

/// A failure to use the state, as one sentence.
struct StateFailure: Error, CustomStringConvertible {
    let description: String
}
