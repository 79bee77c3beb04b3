// SPDX-License-Identifier: MIT
// Lifetimes: values laid over a property's permanent one like a stack. Does not know when any of them ends.
//
// The property holds what is on top, so reading, observing and rendering know nothing of all this. What lies below is
// kept in a side table, and is referenced with the property as its holder: it stays alive, and counts for cycles. A
// shadowed weak reference is not listed among its target's referrers; it is found dead when it would show.

extension ModelTree {
    /// Assigns a value that ends: what the property held before is kept below it.
    ///
    /// - Returns: false when the value there was equal already.
    func lay(_ new: StoredValue, over id: PropertyID, _ term: OverlayTerm, isWeak: Bool = false) -> Bool {
        let isWeak = isWeak || properties[id].flags.contains(.declaredWeak)
        save(id)
        var stack = overlays[id] ?? [Overlay(number: 0, term: nil)]
        cover(&stack[stack.count - 1], id)
        stack.removeAll { below in
            guard below.givesWay(to: term) else { return false }
            forget(below, of: id)
            return true
        }
        lastOverlay += 1
        stack.append(Overlay(number: lastOverlay, term: term))
        list(stack[stack.count - 1], of: id)
        overlays[id] = stack
        properties[id].flags.insert(.overlaid)
        let old = properties[id].value
        guard old.isAbsent || properties[id].isWeak != isWeak || !old.equals(new) else {
            noteEqual(id)
            return false
        }
        change(id, new, isWeak: isWeak)
        return true
    }

    /// Ends an overlay, wherever in its stack it is.
    func endOverlay(_ number: UInt64, of id: PropertyID) {
        guard var stack = overlays[id], let index = stack.firstIndex(where: { $0.number == number }) else {
            return
        }
        save(id)
        let ended = stack.remove(at: index)
        unlist(ended, of: id)
        if index == stack.count {
            reveal(stack[index - 1], id)
            stack[index - 1].value = .absent
        } else {
            release(ended, of: id)
        }
        store(stack, id)
    }

    /// Ends all overlays of an owner, the oldest first.
    func endOverlays(of owner: Int32) {
        let ending = (overlayOwners[owner] ?? []).compactMap { id in
            overlays[id]?.first { $0.isOwned(by: owner) }.map { (id: id, number: $0.number) }
        }
        for overlay in ending.sorted(by: { $0.number < $1.number }) {
            endOverlay(overlay.number, of: overlay.id)
        }
    }

    /// Ends what has a time.
    func endOverlay(_ number: UInt64) {
        guard let id = timedOverlays[number] else { return }
        endOverlay(number, of: id)
    }

    /// When the overlay ends; nil if it has ended, or never came to be.
    func end(ofTimed number: UInt64) -> MonotonicTime? {
        guard let id = timedOverlays[number],
            let overlay = overlays[id]?.first(where: { $0.number == number }),
            case .time(let end, _) = overlay.term
        else { return nil }
        return end
    }

    /// Until when the overlay was to hold; nil if it has ended, or never came to be.
    func lifetime(ofTimed number: UInt64) -> Lifetime? {
        guard let id = timedOverlays[number] else { return nil }
        return overlays[id]?.first { $0.number == number }?.term?.lifetime
    }

    /// The property is written to for good: nothing lies over anything any more.
    func clearOverlays(_ id: PropertyID) {
        save(id)
        guard let stack = overlays[id], let top = stack.last else { return }
        unlist(top, of: id)
        for below in stack.dropLast() { forget(below, of: id) }
        store([], id)
    }

    // MARK: One overlay

    /// Keeps what the property holds, as something else is about to lie over it.
    private func cover(_ top: inout Overlay, _ id: PropertyID) {
        top.value = properties[id].value
        top.isWeak = properties[id].isWeak
        top.instance = 0
        if top.isWeak {
            if let model = top.value.modelID { top.instance = models[model].instance }
        } else {
            reference(top.value, from: id, isWeak: false)
        }
    }

    /// Lets the property hold what was shadowed.
    private func reveal(_ overlay: Overlay, _ id: PropertyID) {
        var value = overlay.value
        if overlay.isWeak, let model = value.modelID {
            let isAlive = models[model].instance == overlay.instance && !models[model].isDying
            if !isAlive { value = .null }
        }
        let isSame =
            !value.isAbsent && properties[id].isWeak == overlay.isWeak && properties[id].slot.equals(value)
        if !isSame { change(id, value, isWeak: overlay.isWeak) }
        release(overlay, of: id)
    }

    private func forget(_ shadowed: Overlay, of id: PropertyID) {
        unlist(shadowed, of: id)
        release(shadowed, of: id)
    }

    private func release(_ shadowed: Overlay, of id: PropertyID) {
        if !shadowed.isWeak { dereference(shadowed.value, from: id, isWeak: false) }
    }

    private func store(_ stack: [Overlay], _ id: PropertyID) {
        // The permanent value alone is no stack.
        overlays[id] = stack.count > 1 ? stack : nil
        if stack.count <= 1 { properties[id].flags.remove(.overlaid) }
    }

    // MARK: Finding them again

    private func list(_ overlay: Overlay, of id: PropertyID) {
        switch overlay.term {
        case .owner(let owner): overlayOwners[owner, default: []].insert(id)
        case .time: timedOverlays[overlay.number] = id
        case nil: break
        }
    }

    private func unlist(_ overlay: Overlay, of id: PropertyID) {
        switch overlay.term {
        case .owner(let owner):
            overlayOwners[owner]?.remove(id)
            if overlayOwners[owner]?.isEmpty == true { overlayOwners[owner] = nil }
        case .time: timedOverlays[overlay.number] = nil
        case nil: break
        }
    }

    // MARK: With the commit

    /// Notes the stack as it was before the commit.
    private func save(_ id: PropertyID) {
        guard savedOverlays[id] == nil else { return }
        if isWitnessed { tellWitnesses(ofAssigning: id) }
        savedOverlays[id] = overlays[id] ?? []
    }

    /// Takes back what the commit did to stacks. The properties' own values are taken back for themselves.
    func restoreOverlays() {
        for (id, old) in savedOverlays { restoreStack(old, of: id) }
        savedOverlays.removeAll()
    }

    /// Puts a whole stack under the property's value, whatever lay there.
    func restoreStack(_ stack: [Overlay], of id: PropertyID) {
        let current = overlays[id] ?? []
        referenceShadowed(stack, of: id)
        for overlay in current.dropLast() { release(overlay, of: id) }
        for overlay in current { unlist(overlay, of: id) }
        for overlay in stack { list(overlay, of: id) }
        store(stack, id)
        if stack.count > 1 { properties[id].flags.insert(.overlaid) }
    }

    private func referenceShadowed(_ stack: [Overlay], of id: PropertyID) {
        for overlay in stack.dropLast() where !overlay.isWeak {
            reference(overlay.value, from: id, isWeak: false)
        }
    }

    // MARK: With the property's model

    /// The property's model has died: what was shadowed is held no more.
    func settleOverlays(_ id: PropertyID) {
        for overlay in (overlays[id] ?? []).dropLast() { release(overlay, of: id) }
    }

    /// It lives again, since the commit was given up.
    func reviveOverlays(_ id: PropertyID) { referenceShadowed(overlays[id] ?? [], of: id) }

    /// It is freed.
    func buryOverlays(_ id: PropertyID) {
        for overlay in overlays.removeValue(forKey: id) ?? [] { unlist(overlay, of: id) }
    }
}
