// SPDX-License-Identifier: MIT
// The components of a pattern, its wildcards in the trie, and how far its nodes are made. Data only.

typealias PatternID = ID<PatternRecord>
typealias WildcardID = ID<WildcardRecord>

enum PatternComponent {
    case name(NameID)
    /// `*`: exactly one component.
    /// - Parameter condition: its text, with the brackets, or `noRecord`. The paths then have a node for each property or
    ///   element with the condition, beside the node that the wildcard follows.
    case anyName(where: NameID)
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
    /// The index of the last wildcard `*`; -1 without one. A path that matches up to there is a match.
    var lastWildcard = -1
    var needs = PatternSize()
    /// The needs of this and other patterns together; nil if nothing bounds it.
    var sharedNeeds: SharedNeeds?
    /// Whether the pattern needed more than ``TreeLimits`` permit, or than the shared needs leave; since then it ignores new paths.
    var isOverfull = false
    /// See ``EndingMatches/next``.
    var nextEnding = NodeID.noRecord
}

struct PatternSize: Equatable {
    var matches = 0
    /// How many places its wildcards have: containers, and other values, whose names or elements they match.
    var places = 0

    var total: Int { matches + places }

    static func + (a: PatternSize, b: PatternSize) -> PatternSize {
        PatternSize(matches: a.matches + b.matches, places: a.places + b.places)
    }

    static func - (a: PatternSize, b: PatternSize) -> PatternSize {
        PatternSize(matches: a.matches - b.matches, places: a.places - b.places)
    }

    func fits(_ limit: PatternSize) -> Bool { matches <= limit.matches && places <= limit.places }
}

extension [PatternComponent] {
    var lastWildcard: Int { lastIndex { if case .anyName = $0 { true } else { false } } ?? -1 }

    /// Whether a `*` has a condition.
    var hasCondition: Bool {
        contains { if case .anyName(where: let condition) = $0 { condition != .noRecord } else { false } }
    }

    /// The names that the components retain, those of conditions included.
    var names: [NameID] {
        compactMap {
            switch $0 {
            case .name(let name), .derived(let name): name
            case .anyName(where: let condition): condition == .noRecord ? nil : condition
            case .anyDepth: nil
            }
        }
    }
}

/// The matches of patterns that end.
struct EndingMatches {
    /// How many more matches may end now.
    var room = Int.max
    /// The child of the pattern's first wildcard where it continues; `noRecord` to begin with the first one.
    var next = NodeID.noRecord
    /// The nodes that may have become useless.
    var leaves: [NodeID] = []

    /// Whether there was no room for all matches.
    var isCut: Bool { next != .noRecord }
}

/// The needs of several patterns together: those of one client.
final class SharedNeeds {
    /// The sum of ``PatternRecord/needs``.
    var needs = PatternSize()
    var limit = PatternSize(matches: .max, places: .max)

    var room: PatternSize { limit - needs }
}

/// A pattern's wildcard at one node: it follows the properties or elements of that node's value. Each component before it is one
/// step from the root, so the node's depth is its position in the pattern.
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

/// The nodes that a pattern with many matches is about to need, made in slices between commits. If a commit changes the matches
/// meanwhile, the pattern makes the nodes that it lacks, and the hub discards those that it does not need.
final class PatternPreparation {
    /// A container whose properties or elements match a wildcard.
    struct Level {
        let node: NodeID
        /// The component behind the wildcard.
        let component: Int
        let model: ModelID
        /// The next property of ``model``.
        var property: PropertyID = .noRecord
        /// The next element, if the container is an array.
        var index = 0
    }

    /// The patterns that are still to be prepared. Their names are retained.
    var patterns: [[PatternComponent]] = []
    /// The containers above the next node; none before the first pattern.
    var levels: [Level] = []
    /// All nodes that it has made. The tree may have freed some since.
    var nodes: [NodeID] = []

    var isDone: Bool { patterns.isEmpty }
}
