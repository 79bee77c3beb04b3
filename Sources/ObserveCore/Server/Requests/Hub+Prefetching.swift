// SPDX-License-Identifier: MIT
// Looks ahead in the input, and loads the records that later sets need. Executes nothing.

extension Hub {
    /// The simple `set` at the beginning of `rest`; nil if there is none. Looks ahead if it is not known yet.
    func prefetchedSet(_ rest: ByteView) -> PrefetchedSet? {
        if let known = prefetched.pop(from: rest) { return known }
        prefetched.forget()
        let request = parsed.request
        var start = 0
        while !prefetched.isFull, start < rest.count {
            let input = rest.dropFirst(start)
            guard let length = request.recognize(firstOf: input), isSimpleSet, let id = request.id,
                let path = request.value(.path), let value = request.value(.value),
                path.kind == .string, !path.hasEscapes
            else { break }
            prefetched.append(PrefetchedSet(line: input.prefix(length), id: id, path: path, value: value))
            start += length + 1
        }
        var sum: Int32 = 0
        tree.prefetch(prefetched.paths) { tag in
            let attachment = AttachmentID(tag)
            if attachment.index < clients.registry.attachments.allocatedCount {
                sum &+= clients.registry.attachments[attachment].subscription
            }
        }
        prefetched.note(sum)
        return prefetched.pop(from: rest)
    }
}
