// SPDX-License-Identifier: MIT
// Keeps large structures where they are. Independent of their contents.

import Synchronization

/// A structure with an anchor is passed by its address. Without one, the compiler copies all variables of a large structure for
/// each call of a method that only reads them: 960 bytes for the records of a tree.
struct Anchor: ~Copyable {
    // A type whose address has a meaning; nothing reads it.
    private let value = Atomic<UInt8>(0)
}
