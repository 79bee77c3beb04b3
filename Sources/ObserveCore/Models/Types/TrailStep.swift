// SPDX-License-Identifier: MIT
// The place of a value within the value being checked against a type.

/// One step on the way from a written path into the value being checked.
enum TrailStep {
    /// The path that the write names.
    case path(ParsedKeyPath)
    /// The written path as text in escaped form.
    case text(ByteView)
    case member(JSONView)
    case property(NameID)
    case index(Int)
}
