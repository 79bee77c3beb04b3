// SPDX-License-Identifier: MIT
// X

/// Whether observers are notified of the commit under way, or once more of a past one.
enum NotifyingMode {
    case live
    case replay
}

/// What notifying of one commit has found so far; empty between notifications.
struct Notification: ~Copyable {
    /// Numbers the tellings, so that a node is visited once in each.
    var visit: UInt32 = 0
    /// The nodes bound to what the commit touched, gathered before any is visited.
    var affected = Scratch<Affected>()
    /// Where models stand in the arrays that the telling under way has looked into.
    var placeIndex: [PropertyID: [ModelID: [[Int]]]] = [:]
    private(set) var mode = NotifyingMode.live
    /// Deeply observed nodes that this telling has told of another value than they had.
    var reboundDeepNodes: Set<NodeID> = []
    /// What has been found below deeply observed nodes; empty between tellings.
    var deep = DeepNotification()

    mutating func begin(_ mode: NotifyingMode) {
        self.mode = mode
        visit &+= 1
    }

    mutating func end() {
        affected.removeAll()
        if !placeIndex.isEmpty { placeIndex = [:] }
    }
}
