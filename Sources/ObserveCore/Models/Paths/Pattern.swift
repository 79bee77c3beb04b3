// SPDX-License-Identifier: MIT
// The components of a pattern, and its wildcards in the trie. Data only.

/// A pattern's number in its tree.
typealias PatternID = ID<PatternRecord>
/// A wildcard's number in its tree.
typealias WildcardID = ID<WildcardRecord>

/// One component of an observed pattern.
enum PatternComponent {
    case name(NameID)
    /// `*`: exactly one component.
    case anyName
    /// A collection operator with the path after it; always the last component. The name is the reserved name
    /// of the operator's node: see ``OperatorName``.
    case derived(NameID)
    /// `**`: zero or more components; always the last one.
    case anyDepth
}

/// An observed pattern, or a literal path observed together with patterns.
struct PatternRecord {
    var components: [PatternComponent] = []
    var options: ObservingOptions = []
    /// The sink's number for the pattern. Patterns with the same tag share one observer per path.
    var tag: Int32 = 0
    /// How many paths the pattern matches, plus the number of its wildcards at nodes.
    var size = 0
    /// The size of this and other patterns together; nil if nothing bounds it.
    var account: PatternAccount?
    /// Whether the pattern needed more than ``TreeLimits/maxMatches``, or than its account had left; since then it ignores new
    /// paths.
    var isOverfull = false
}

/// The size of several patterns together: those of one client.
///
/// - Threading: none of its own; its tree and its session are its only users, and have one owner.
final class PatternAccount {
    /// The sum of ``PatternRecord/size``.
    var size = 0
    var limit = Int.max

    var room: Int { max(0, limit - size) }
}

/// A pattern's wildcard at one node: it follows the properties or elements of that node's value.
///
/// Each component before a wildcard is one step from the root, so the node's depth is the wildcard's position in the pattern.
struct WildcardRecord {
    var pattern: PatternID = .noRecord
    /// The number of its node.
    var node: Int32 = -1
    var next: WildcardID = .noRecord
    var previous: WildcardID = .noRecord
}

/// How many patterns of one tag use an observer: for its path alone, and for all below it.
struct Multiplicity {
    var shallow = 0
    var deep = 0

    var total: Int { shallow + deep }
}
