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
    /// A collection operator with the path behind it; always the last component. Reserved names of nodes: see
    /// ``OperatorName``.
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
    /// How many matches it has, plus the nodes with its wildcards.
    var size = 0
    /// It matched more than ``TreeLimits/maxMatches``; since then it follows no changes.
    var isOverfull = false
}

/// A pattern's wildcard at one node: it follows the properties or elements of that node's value.
struct WildcardRecord {
    var pattern: PatternID = .noRecord
    /// Which component of the pattern the wildcard is.
    var component: Int32 = 0
    var next: WildcardID = .noRecord
}

/// How many patterns of one tag use an observer.
struct Multiplicity {
    var shallow = 0
    var deep = 0
}
