// SPDX-License-Identifier: MIT
// The state of conditions and choices while past commits are replayed. Data only.

/// The properties that stand for selections on replayed paths.
struct SelectionTable: ~Copyable {
    /// The properties on replayed paths, with their present values; nil for those that the replay made.
    var replayed: [PropertyID: StoredValue?] = [:]
    var isReplaying = false
    /// The revisions of the properties at the replayed revision, if they differ from the present ones. The records keep these,
    /// since the history holds a property up to its revision.
    var revisions = NumberMap<UInt64>()
    /// The revision of the first rewound commit. Properties that last changed before it have their present revision.
    var firstRewound = UInt64.max
    /// How many steps the replay has left. An evaluation is one; ``freeSteps`` has those of nodes that are free.
    var replayRoom = 0
    /// How many more steps of nodes do not count.
    var freeSteps = 0

    static let mostReplayed = 100_000
    /// The nodes of 1,000 matches with a condition, so that a small pattern leaves all steps to evaluations.
    static let freeOfReplay = 64_000

    /// The properties have their present revisions again.
    mutating func forgetRewound() { (revisions, firstRewound) = (NumberMap(), .max) }
}
