// SPDX-License-Identifier: MIT
// The truth that mirrors are compared with: naive copies of the tree at each revision. Independent of events.

@testable import ObserveCore

/// All roots at each revision. Models have unique members `id`, which stand for their identity.
final class CatchingUpTruth: PreUpdateHook {
    private unowned let hub: Hub
    private var images: [TreeImage?] = []
    /// The time of each revision, in milliseconds.
    private var times: [UInt64] = []
    var now: UInt64 = 0

    init(_ hub: Hub) {
        self.hub = hub
        record()
    }

    /// Lets the tree call before each change: several commits may come between two calls of ``record()``.
    func follow() { hub.tree.add(self) }
    func leave() { hub.tree.remove(self) }

    func willAssign(_ id: PropertyID) { recordMissing() }
    func willReorder(_ model: ModelID) { recordMissing() }
    func didRelease(_ model: ModelID) {}
    func didRestore(_ model: ModelID) {}
    func willChangeTypes() {}

    /// The tree is as at its revision: the hook comes before the first change of a commit.
    private func recordMissing() {
        if images.count <= Int(hub.tree.revision) { record() }
    }

    func record() {
        let revision = Int(hub.tree.revision)
        while images.count < revision {
            images.append(nil)
            times.append(now)
        }
        if images.count == revision {
            images.append(TreeImage(hub.tree))
            times.append(now)
        }
    }

    var revision: UInt64 { hub.tree.revision }

    /// The state at a revision; nil if the run has not seen it.
    func image(_ revision: UInt64) -> TreeImage? {
        Int(revision) < images.count ? images[Int(revision)] : nil
    }

    func time(of revision: UInt64) -> UInt64 { Int(revision) < times.count ? times[Int(revision)] : now }
}

/// Counts the changes of one path, revision by revision.
struct CatchingUpCursor {
    private let path: [CatchingUpComponent]
    private(set) var revision: UInt64
    private var value: Value
    private var hasRoot: Bool
    /// The commits that changed the value, and those that removed or restored the root.
    private(set) var changes = 0
    private(set) var rootChanges = 0
    /// The last revision that changed the value.
    private(set) var lastChange: UInt64
    /// No revision was missing.
    private(set) var isComplete = true

    init(_ path: String, at revision: UInt64, _ truth: CatchingUpTruth) {
        self.path = CatchingUpPattern.split(path).map(CatchingUpComponent.init)
        self.revision = revision
        lastChange = revision
        value = .null
        hasRoot = false
        guard let image = truth.image(revision) else {
            isComplete = false
            return
        }
        (value, hasRoot) = (self.value(image), image.roots.contains(self.path[0].name))
    }

    private func value(_ image: TreeImage) -> Value { image.reduced(image.state(of: path).cell) }

    mutating func advance(to end: UInt64, _ truth: CatchingUpTruth) {
        while revision < end {
            revision += 1
            guard let image = truth.image(revision) else {
                isComplete = false
                continue
            }
            let (newValue, hasNewRoot) = (value(image), image.roots.contains(path[0].name))
            if newValue != value {
                changes += 1
                lastChange = revision
            }
            if hasNewRoot != hasRoot { rootChanges += 1 }
            (value, hasRoot) = (newValue, hasNewRoot)
        }
    }
}
