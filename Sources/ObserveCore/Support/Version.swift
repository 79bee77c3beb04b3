// SPDX-License-Identifier: MIT
// The version of the library and of both programs. Knows nothing of what they can do.

/// Semantic version; the programs' `--version` and the daemon's `status` say it.
package let version = "0.1.0"
