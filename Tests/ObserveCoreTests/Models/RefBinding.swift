// SPDX-License-Identifier: MIT
// Bindings by the contract's words: after each write both ends of all of them are read again. No dependencies.
//
// Which of several goes first is known beforehand: the bindings of a run feed one another in the order of their ranks.

@testable import ObserveCore

/// A binding, and how its ends were when they were looked at last.
final class RefBinding {
    let number: Int
    let rank: Int
    let source: [String]
    let derived: (function: CollectionOperator, names: [String])?
    let target: [String]
    let isTwoWay: Bool
    var isNew = true
    var isFailing = false
    var failedBackward = false
    fileprivate var lastSource = RefValue.absent
    fileprivate var lastTarget = RefValue.absent
    fileprivate var lastOwner: RefModel?
    /// In the commit under way.
    fileprivate var hasWritten = false
    fileprivate var hasRetried = false

    init(
        _ number: Int,
        rank: Int,
        _ source: [String],
        _ derived: (function: CollectionOperator, names: [String])?,
        _ target: [String],
        isTwoWay: Bool
    ) {
        self.number = number
        self.rank = rank
        self.source = source
        self.derived = derived
        self.target = target
        self.isTwoWay = isTwoWay
    }

    var sourceText: String {
        let path = dotted(source[...])
        return derived.map { path + "." + $0.function.text($0.names) } ?? path
    }
}

extension ReferenceTree {
    /// The end of a commit: weak references, computed properties and bindings, until nothing changes any more.
    func settle() {
        for binding in bindings { (binding.hasWritten, binding.hasRetried) = (false, false) }
        while true {
            nullDeadReferences()
            recompute()
            let due = bindings.compactMap { binding in isBackward(binding).map { (binding, $0) } }
            let next = due.min { a, b in
                if a.1 != b.1 { return a.1 }
                return (a.1 ? 0 : a.0.rank, a.0.number) < (b.1 ? 0 : b.0.rank, b.0.number)
            }
            guard let (binding, isBackward) = next else { break }
            carry(binding, isBackward: isBackward)
        }
        for binding in bindings { note(binding) }
    }

    private func note(_ binding: RefBinding) {
        binding.isNew = false
        binding.lastSource = source(binding)
        binding.lastTarget = value(at: binding.target)
        binding.lastOwner = owner(binding)
    }

    private func source(_ binding: RefBinding) -> RefValue {
        let value = value(at: binding.source)
        return binding.derived.map { $0.function.value(over: value, $0.names, in: self) } ?? value
    }

    private func owner(_ binding: RefBinding) -> RefModel? {
        let owners = walk(binding.target).owners
        return owners[owners.count - 1]
    }

    /// Which way the value has to go now; nil if nothing has to be done.
    private func isBackward(_ binding: RefBinding) -> Bool? {
        if binding.hasWritten { return nil }
        let isTargetChanged = !value(at: binding.target).equals(binding.lastTarget)
        if binding.isNew || !source(binding).equals(binding.lastSource) { return false }
        if owner(binding) !== binding.lastOwner { return false }
        if isTargetChanged, binding.isTwoWay { return true }
        guard binding.isFailing else { return nil }
        if isTargetChanged { return false }
        return binding.hasRetried ? nil : binding.failedBackward
    }

    private func carry(_ binding: RefBinding, isBackward: Bool) {
        let (source, target) = (source(binding), value(at: binding.target))
        note(binding)
        binding.hasRetried = true
        let (new, present) = isBackward ? (target, source) : (source, target)
        let names = isBackward ? binding.source : binding.target
        binding.isFailing = false
        if new.equals(present), new.model == nil || !isWeak(names) { return }
        guard put(new, names) else {
            (binding.isFailing, binding.failedBackward) = (true, isBackward)
            return
        }
        binding.hasWritten = true
        note(binding)
    }

    private func isWeak(_ names: [String]) -> Bool {
        guard case .property(let owner, let name) = place(names) else { return false }
        return owner.isWeak(name) && !isDeclaredWeak(owner, name)
    }

    /// False if it can't be written.
    private func put(_ value: RefValue, _ names: [String]) -> Bool {
        let value = value.isAbsent ? RefValue.null : value
        switch place(names) {
        case .property(let owner, let name):
            guard let declared = try? writable(names), let new = fitting(value, declared.type) else {
                return false
            }
            if declared.isWeak, new.model == nil, !new.isNull { return false }
            if !declared.isWeak, closesCycle(new, owner) { return false }
            _ = put(owner, name, new)
            return true
        case .element(let owner, let name, let indices):
            guard let declared = try? writable(names), let new = fitting(value, declared.type) else {
                return false
            }
            if closesCycle(new, owner) { return false }
            _ = replace(owner, name, indices, new)
            return true
        case .missingElement, .broken: return false
        }
    }

    private func closesCycle(_ value: RefValue, _ owner: RefModel) -> Bool {
        value.models.contains { leads(from: $0, to: owner) }
    }
}
