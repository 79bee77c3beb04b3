// SPDX-License-Identifier: MIT
// Assigns and expires temporary values. Independent of clocks: the tree's owner decides when they expire.

extension AssigningTree {
    /// Assigns a temporary value, which shadows the property's current one. Returns false if that was already equal.
    func lay(
        _ new: StoredValue,
        over id: PropertyID,
        _ term: Term,
        isWeak: Bool = false,
        _ path: ParsedKeyPath
    ) throws(TreeError) -> Bool {
        try refuseLifetime(term, of: id, path)
        let isWeak = isWeak || records.properties[id].flags.contains(.declaredWeak)
        save(id)
        var stack = stack(of: id)
        var top = stack.last ?? StackedValue(number: 0, term: nil, origin: presentOrigin(of: id))
        cover(&top, id)
        if stack.count == 0 { stack.append(top) } else { stack.update(top) }
        while let below = valueGivingWay(to: term, in: stack, of: id) {
            stack.remove(below.number)
            forget(below, of: id)
        }
        stacks.last += 1
        let origin = ValueOrigin(author: pending.author, cause: pending.cause)
        let layer = StackedValue(number: stacks.last, term: term, origin: origin)
        stack.append(layer)
        list(layer, of: id)
        stacks.setStack(stack, of: id)
        records.properties[id].flags.insert(.isStacked)
        let old = records.properties[id].value
        guard old.isAbsent || records.properties[id].isWeak != isWeak || !old.equals(new) else {
            noteEqual(id)
            return false
        }
        change(id, new, isWeak: isWeak)
        return true
    }

    /// The newest value that a new one replaces instead of shadowing it: one of the same owner, or one that expires no later.
    private func valueGivingWay(to term: Term, in stack: ValueStack, of id: PropertyID) -> StackedValue? {
        switch term {
        case .owner(let owner): stacks.owners[owner]?[id].flatMap { stack[$0] }
        // Each value expires before the timed ones below it.
        case .time(let end, _): stack.lastTimed.flatMap { $0.expires(by: end) ? $0 : nil }
        }
    }

    private func refuseLifetime(_ term: Term, of id: PropertyID, _ path: ParsedKeyPath) throws(TreeError) {
        let stack = stack(of: id)
        guard stack.count > limits.maxLifetimes, valueGivingWay(to: term, in: stack, of: id) == nil else {
            return
        }
        let fault = "has as many values with a lifetime as maxLifetimes allows (\(limits.maxLifetimes))"
        throw TreeError(.limitExceeded, path, fault)
    }

    /// Expires a temporary value, at any position in its stack. No effect if it has already expired.
    func expire(_ number: UInt64, of id: PropertyID) {
        guard var stack = stacks.byProperty[id], let ended = stack[number], let top = stack.last else {
            return
        }
        save(id)
        stack.remove(number)
        stacks.unlist(ended, of: id)
        if top.number == number, var below = stack.last {
            reveal(below, id)
            below.value = .absent
            stack.update(below)
        } else {
            release(ended, of: id)
        }
        store(stack, id)
    }

    /// Expires temporary values of an owner, the oldest first; of too many, any of them. Returns how many.
    @discardableResult func expireAll(of owner: Int32, atMost count: Int = .max) -> Int {
        let ending = (stacks.owners[owner] ?? [:]).prefix(count).sorted { $0.value < $1.value }
        for (id, number) in ending { expire(number, of: id) }
        return ending.count
    }

    func expireAll() {
        for owner in stacks.owners.keys.sorted() { expireAll(of: owner) }
        for number in stacks.timed.keys.sorted() { expire(number) }
    }

    func expire(_ number: UInt64) { if let id = stacks.timed[number] { expire(number, of: id) } }

    /// When the timed value with that number expires; nil if it does not exist, or no longer.
    func end(ofTimed number: UInt64) -> MonotonicTime? {
        if case .time(let end, _) = timedValue(number)?.term { end } else { nil }
    }

    /// The requested lifetime of the timed value with that number; nil if it does not exist, or no longer.
    func lifetime(ofTimed number: UInt64) -> Lifetime? { timedValue(number)?.term?.lifetime }

    private func timedValue(_ number: UInt64) -> StackedValue? {
        stacks.timed[number].flatMap { stacks.byProperty[$0]?[number] }
    }

    // MARK: One temporary value

    private func cover(_ top: inout StackedValue, _ id: PropertyID) {
        top.value = records.properties[id].value
        top.isWeak = records.properties[id].isWeak
        top.instance = 0
        if top.isWeak {
            if let model = top.value.modelID { top.instance = records.models[model].instance }
        } else {
            records.reference(top.value, from: id, isWeak: false)
        }
    }

    /// The shadowed value. A weak reference to a released model is null.
    func shown(_ layer: StackedValue) -> StoredValue {
        guard layer.isWeak, let model = layer.value.modelID else { return layer.value }
        let isAlive = records.models[model].instance == layer.instance && !records.models[model].isReleased
        return isAlive ? layer.value : .null
    }

    private func reveal(_ layer: StackedValue, _ id: PropertyID) {
        let value = shown(layer)
        let isSame =
            !value.isAbsent && records.properties[id].isWeak == layer.isWeak
            && records.properties[id].slot.equals(value)
        if !isSame { change(id, value, isWeak: layer.isWeak) }
        release(layer, of: id)
    }
}
