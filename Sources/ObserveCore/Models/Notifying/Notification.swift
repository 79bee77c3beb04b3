// SPDX-License-Identifier: MIT
// X

/// What notifying of one commit has found so far; empty between notifications.
struct Notification: ~Copyable {
    /// Numbers the tellings, so that a node is visited once in each.
    var visit: UInt32 = 0
    /// The nodes bound to what the commit touched, gathered before any is visited.
    var affected = Scratch<Affected>()
    /// Where models stand in the arrays that the telling under way has looked into.
    var placeIndex: [PropertyID: [ModelID: [[Int]]]] = [:]
    /// Whether a telling is under way: then stars are expanded by the visits that it makes anyway.
    var isUnderWay = false
    /// Deeply observed nodes that this telling has told of another value than they had.
    var reboundDeepNodes: Set<NodeID> = []
    /// What has been found below deeply observed nodes; empty between tellings.
    var deep = DeepNotification()
}
