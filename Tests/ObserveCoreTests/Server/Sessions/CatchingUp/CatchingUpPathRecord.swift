// SPDX-License-Identifier: MIT
// What a mirror knows of one path: its last event, and how many changes its events stand for.

@testable import ObserveCore

struct CatchingUpPathRecord {
    private let path: String
    private let truth: CatchingUpTruth
    /// Counts the changes since the first value.
    var cursor: CatchingUpCursor
    /// The number of changes that the events stand for.
    var count = 0
    /// The root was removed or restored since the path's last event.
    private var rootChangesSent = 0
    /// The revision and the time of the last event.
    var lastRevision: UInt64?
    var sentAt: UInt64?

    init(_ path: String, at revision: UInt64, _ truth: CatchingUpTruth) {
        self.path = path
        self.truth = truth
        cursor = CatchingUpCursor(path, at: revision, truth)
    }

    /// The initial event stands for no change.
    mutating func beginCounting(at revision: UInt64) {
        cursor = CatchingUpCursor(path, at: revision, truth)
        count = 0
        rootChangesSent = 0
    }

    var hasRootChanged: Bool { !cursor.isComplete || cursor.rootChanges > rootChangesSent }

    mutating func noteRoot() { rootChangesSent = cursor.rootChanges }
}

extension Value {
    /// Whether it is, or has, a model.
    var hasModels: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasModels)
        case .object: true
        default: false
        }
    }
}

extension TreeImage {
    /// Whether the path leads through a weak reference below its first components.
    func isBelowWeak(_ names: [String], from count: Int) -> Bool {
        guard names.count > count else { return false }
        for length in count..<names.count {
            let above = state(of: names.prefix(length).map(CatchingUpComponent.init)).cell
            guard case .model(let model) = above else { continue }
            if models[model]?.first(where: { $0.name == names[length] })?.isWeak == true { return true }
        }
        return false
    }
}
