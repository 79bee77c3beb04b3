// SPDX-License-Identifier: MIT
// What a pattern is made of, and where one of its stars stands in the trie. Data only.

/// A pattern's number in its tree.
typealias PatternID = Int32
/// A follower's number in its tree.
typealias FollowerID = Int32

/// One component of an observed pattern.
enum PatternComponent {
    case name(NameID)
    /// `*`: exactly one component.
    case anyName
    /// A collection operator with what follows it; the last one. Reserved names of nodes: see ``OperatorName``.
    case derived(NameID)
    /// `**`: zero or more components; the last one.
    case anyDepth
}

/// A pattern that somebody observes, or a literal path that is observed together with patterns.
struct PatternRecord {
    var components: [PatternComponent] = []
    var options: ObservingOptions = []
    /// The sink's own number for it. Patterns with one tag give one event a path between them.
    var tag: Int32 = 0
    /// How many matches it has, and stars at places.
    var size = 0
    /// It matched more than ``TreeLimits/maxMatches``: since then it has not followed what came.
    var isOverfull = false
}

/// A pattern's star at one node: it follows what that node's value contains.
struct FollowerRecord {
    var pattern: PatternID = noRecord
    /// Which component of the pattern the star is.
    var component: Int32 = 0
    var next: FollowerID = noRecord
}

/// How many patterns of one tag want an observer.
struct Multiplicity {
    var plain = 0
    var deep = 0
}
