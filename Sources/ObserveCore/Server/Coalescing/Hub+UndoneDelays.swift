// SPDX-License-Identifier: MIT
// Delayed events of commits that the journal refused. Independent of what they report.

extension Hub {
    /// Whether a refused batch is being undone. The daemon's own roots are in no batch.
    @inline(__always)
    var isUndoing: Bool { tree.reader.isUndoing }

    /// Notes the place's delayed event before a commit that the journal may refuse changes it.
    func noteUnflushed(_ place: PacedPath) {
        if journalGate.needsFlush, !isUndoing { journalGate.note(place) }
    }

    /// Whether the journal may refuse a commit that has changed the place's delayed event.
    func isUnflushed(_ place: PacedPath) -> Bool {
        journalGate.needsFlush && place.batch >= journalGate.firstBatch
    }

    /// After the batch is undone, restores the delayed events of before.
    func restore(_ delays: [FormerDelay]) {
        for former in delays.reversed() where !former.place.pacer.isOver {
            former.restore()
            let place = former.place
            guard place.delayed != nil else { continue }
            if place.lastText == nil, !isLiteral(place) { attachAnew(place) }
            schedule(place, at: place.due)
        }
        for session in sessions.all {
            session.delivery.lastRevision = min(session.delivery.lastRevision, revision)
        }
    }

    /// Attaches the delayed event to the present match of its path: the tree has lost the former one.
    private func attachAnew(_ place: PacedPath) {
        guard let owner = owner(of: place) else { return place.delayed = nil }
        let tree = tree(of: owner.attachment)
        let node = tree.reader.observer(registry.attachments[owner.attachment].observer).node
        place.attachment = owner.attachment
        place.delayed?.attachment = owner.attachment
        place.delayed?.suffix = place.suffix(below: owner)
        place.delayed?.nilAt = owner === place ? tree.brokenAncestor(of: node) : .noRecord
        place.delayed?.changedAt = .noRecord
        if place.delayed?.reason == .pathChanged { place.delayed?.reason = .valueChanged }
    }

    /// The place that matches a pattern and shows the path: itself, or the nearest above with everything below it.
    private func owner(of place: PacedPath) -> PacedPath? {
        if place.isOwn { return place }
        var above = place.parent
        while let place = above {
            if place.isOwn {
                let observer = tree(of: place.attachment).reader.observer(
                    registry.attachments[place.attachment].observer
                )
                if observer.options.contains(.deep) { return place }
            }
            above = place.parent
        }
        return nil
    }
}
