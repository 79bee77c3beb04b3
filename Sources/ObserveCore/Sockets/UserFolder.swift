// SPDX-License-Identifier: MIT
// The paths of a user's configuration and state: one rule for daemon and tool. Accesses no files.

/// The XDG folders. Each is `$HOME/…` if its variable is unset, empty or not absolute, as their specification says.
/// Without an absolute `$HOME`, there is none.
package enum UserFolder {
    /// The configuration's file in `$XDG_CONFIG_HOME`; nil without a home.
    package static func configuration(_ environment: (String) -> String?) -> String? {
        folder("XDG_CONFIG_HOME", ".config", environment).map { "\($0)/observed/observed.json" }
    }

    /// The state's folder in `$XDG_STATE_HOME`; nil without a home.
    package static func state(_ environment: (String) -> String?) -> String? {
        folder("XDG_STATE_HOME", ".local/state", environment).map { "\($0)/observed" }
    }

    private static func folder(_ variable: String, _ below: String, _ environment: (String) -> String?)
        -> String?
    {
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return absolute(variable) ?? absolute("HOME").map { "\($0)/\(below)" }
    }
}
