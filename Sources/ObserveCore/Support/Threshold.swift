// SPDX-License-Identifier: MIT
// Bounds that are lower in debug builds. Independent of what they bound.

/// The first number; in debug builds the second one, so that tests of small inputs reach what large ones do.
@inline(__always) func threshold(_ release: Int, debug: Int) -> Int {
    #if DEBUG
        debug
    #else
        release
    #endif
}
