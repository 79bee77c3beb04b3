// SPDX-License-Identifier: MIT
// The version of the library and of both programs.

/// The semantic version that `--version` and the daemon's `status` report.
package let version = "0.1.0"
