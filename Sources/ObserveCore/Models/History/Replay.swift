// SPDX-License-Identifier: MIT
// X

/// Commits of the past that observers are notified of again.
struct Replay: ~Copyable {
    /// Whether, while they are, a path has led to a computed property.
    var hasMetComputed = false
    /// Whether commits of the past are being told again.
    var isUnderWay = false
}
