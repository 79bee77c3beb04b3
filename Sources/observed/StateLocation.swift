// SPDX-License-Identifier: MIT
// In which folder models persist. Looks at no disk.

package enum StateLocation {
    /// `--state`, else `observed` in `$XDG_STATE_HOME`, which is `~/.local/state` if unset, empty or not absolute, as its
    /// specification says. Nil where nothing is to persist, or there is no home.
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

/// Why there is no state to go on with, as one sentence.
struct StateFailure: Error, CustomStringConvertible {
    let description: String
}
