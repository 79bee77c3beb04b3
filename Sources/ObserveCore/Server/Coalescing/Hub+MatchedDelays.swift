// SPDX-License-Identifier: MIT
// Delayed events of paths that cease to match a pattern. Independent of times and of sockets.

extension Hub {
    /// Keeps the delayed event of a path that no longer matches, with its present value.
    func keepDelayed(of id: AttachmentID, in session: Session) {
        guard let pacer = pacer(of: id, in: session), let place = pacer.knownPlace(of: id) else { return }
        let tree = tree(of: id)
        // The paths below it have had their events.
        for below in place.delayedBelow where !below.isOwn && below.attachment == id { below.delayed = nil }
        pacer.forget(id)
        place.attachment = .noRecord
        guard let entry = place.delayed else { return }
        let text = ByteBuffer()
        let value = tree.currentValue(of: tree.reader.observer(registry.attachments[id].observer).node)
        write(entry, value, to: text, isOpen: true)
        if text.isEmpty { place.delayed = nil } else { place.lastText = text }
    }
}
