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
    case movedLeaves
    case adjustedOperators

    func turnOff(in hub: Hub) {
        switch self {
        case .shapes: hub.clients.fastPaths.shapes = false
        case .scalarSets: hub.clients.fastPaths.scalarSets = false
        case .knownPaths: hub.clients.fastPaths.knownPaths = false
        case .prefetching: hub.clients.fastPaths.prefetching = false
        case .sharedDelivery: hub.clients.fastPaths.sharedDelivery = false
        case .broadcast: hub.clients.fastPaths.broadcast = false
        case .movedLeaves: hub.tree.notification.movesLeaves = false
        case .adjustedOperators: hub.tree.operators.adjustsValues = false
        }
    }
}
