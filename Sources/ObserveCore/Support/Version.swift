// SPDX-License-Identifier: MIT
// The version of the library and of both programs.

/// The semantic version that `--version` and the daemon's `status` report. No other file has it.
package let version = "0.2.0"

/// The line that `--version` of both programs prints.
/// - Parameter commit: of the build; empty without git.
package func versionLine(commit: String) -> String {
    "observed \(version)" + (commit.isEmpty ? "" : " (\(commit))")
}
