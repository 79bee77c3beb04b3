// SPDX-License-Identifier: MIT
// The state of notifying the observers of one commit.

/// Whether observers are notified of the open commit, or again of a past one.
enum NotifyingMode {
    case live
    case replay
}

/// The state of one notification, that is, of notifying the observers of one commit.
struct Notification: ~Copyable {
    /// Numbers the notifications, so that each visits a node once.
    var visit: UInt32 = 0
    /// The nodes bound to touched properties, collected before the first visit.
    var affected = Scratch<Affected>()
    /// The indices of models in the arrays that the running notification has scanned.
    var placeIndex: [PropertyID: [ModelID: [[Int]]]] = [:]
    private(set) var mode = NotifyingMode.live
    /// Deeply observed nodes whose own value this notification has changed.
    var reboundDeepNodes: Set<NodeID> = []
    /// The changes below deeply observed nodes; empty between notifications.
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
