// SPDX-License-Identifier: MIT
// Turns off one fast path of a hub or of its tree, so that tests compare it with the general path.

@testable import ObserveCore

enum FastPathSwitch: CaseIterable, Sendable {
    case shapes
    case scalarSets
    case knownPaths
    case prefetching
    case sharedDelivery
    case broadcast
    case overlappedSync
    case movedLeaves
    case adjustedOperators

    func turnOff(in hub: Hub) {
        switch self {
        case .shapes: hub.fastPaths.shapes = false
        case .scalarSets: hub.fastPaths.scalarSets = false
        case .knownPaths: hub.fastPaths.knownPaths = false
        case .prefetching: hub.fastPaths.prefetching = false
        case .sharedDelivery: hub.fastPaths.sharedDelivery = false
        case .broadcast: hub.fastPaths.broadcast = false
        case .overlappedSync: hub.fastPaths.overlappedSync = false
        case .movedLeaves: hub.tree.notification.movesLeaves = false
        case .adjustedOperators: hub.tree.operators.adjustsValues = false
        }
    }
}
