// SPDX-License-Identifier: MIT
// Delayed events of paths that begin or cease to match a pattern. Independent of times and of sockets.

extension Hub {
    /// Keeps the delayed event of a path that no longer matches, with its present value.
    ///
    /// While a batch is undone, the value is unknown. Then the path matches again, or had no event before the batch.
    func keepDelayed(of id: AttachmentID, in session: Session) {
        guard let pacer = pacer(of: id, in: session), let place = pacer.knownPlace(of: id) else { return }
        noteUnflushed(place)
        let tree = tree(of: id)
        if !isUndoing {
            // The paths below it have had their events.
            for below in place.delayedBelow where !below.isOwn && below.attachment == id {
                noteUnflushed(below)
                below.delayed = nil
            }
        }
        pacer.forget(id)
        place.attachment = .noRecord
        guard !isUndoing, let entry = place.delayed else { return }
        let text = ByteBuffer()
        let value = tree.currentValue(of: tree.reader.observer(registry.attachments[id].observer).node)
        write(entry, value, to: text, isOpen: true)
        if text.isEmpty { place.delayed = nil } else { place.lastText = text }
    }

    /// Makes a path that matches a pattern again find its delayed event.
    func readopt(_ id: AttachmentID, _ observer: ObserverID, in tree: ModelTree) {
        guard let session = registry.attachments[id].session, let pacer = pacer(of: id, in: session) else {
            return
        }
        let place = place(of: id, node: tree.reader.observer(observer).node, in: tree, pacer)
        schedule(place, at: timeOfMoment())
    }
}
