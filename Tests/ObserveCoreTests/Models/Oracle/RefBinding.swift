// SPDX-License-Identifier: MIT
// The oracle's bindings, after the protocol: it checks all of them after each write. No dependencies, no queue.

@testable import ObserveCore

/// A binding, and its ends at the last check.
final class RefBinding {
    let number: Int
    let source: [String]
    let observedOperator: (function: CollectionOperator, names: [String])?
    let target: [String]
    let isTwoWay: Bool
    fileprivate var isNew = true
    fileprivate var last = RefEnds()
    /// Both paths at its last failed write, and the direction of that write.
    fileprivate var failure: (ways: [RefWalk], isBackward: Bool, isCycle: Bool)?
    // State of the commit under way.
    fileprivate var hasWritten = false
    fileprivate var isWaiting = false
    /// Whether it has followed its target to a new array.
    fileprivate var hasFollowed = false

    init(
        _ number: Int,
        _ source: [String],
        _ observedOperator: (function: CollectionOperator, names: [String])?,
        _ target: [String],
        isTwoWay: Bool
    ) {
        self.number = number
        self.source = source
        self.observedOperator = observedOperator
        self.target = target
        self.isTwoWay = isTwoWay
    }

    var isFailing: Bool { failure != nil }

    var text: String {
        "\(number): \(sourceText) -> \(dotted(target[...]))\(isTwoWay ? " two-way" : "")\(isFailing ? " failing" : "")"
    }

    var sourceText: String {
        let path = dotted(source[...])
        return observedOperator.map { path + "." + $0.function.text($0.names) } ?? path
    }
}

/// Both ends of a binding.
private struct RefEnds {
    var source = RefValue.absent
    var target = RefValue.absent
    /// The target property, or the property of the array that the path's end indexes.
    var owner: RefModel?
    var indexCount = 0
}

/// A property, present or not; without a name, any property of the model.
struct RefSlot: Hashable {
    let model: ObjectIdentifier
    let name: String?

    init(_ model: RefModel, _ name: String?) {
        self.model = ObjectIdentifier(model)
        self.name = name
    }
}

extension ReferenceTree {
    /// Finishes a commit: runs one binding after the other, until none has anything to write.
    func updateBindings() {
        for binding in bindings {
            binding.hasWritten = false
            binding.hasFollowed = false
            // The obstacle to a link may disappear without a change at either end.
            if binding.failure?.isCycle == true, hasChanged { binding.failure?.ways = [] }
        }
        while bindings.contains(where: { run($0) }) {}
        for binding in bindings { note(binding) }
    }

    /// Runs first the bindings that write this binding's inputs, then the binding. Returns whether any wrote.
    private func run(_ binding: RefBinding) -> Bool {
        if binding.hasWritten || binding.isWaiting { return false }
        binding.isWaiting = true
        defer { binding.isWaiting = false }
        var isDone = false
        while feeders(of: binding).contains(where: { run($0) }) { isDone = true }
        guard let isBackward = isBackward(binding) else { return isDone }
        propagate(binding, isBackward: isBackward)
        return true
    }

    private func feeders(of binding: RefBinding) -> [RefBinding] {
        let read = reads(binding)
        return bindings.filter { other in
            if other === binding { return false }
            let ends = other.isTwoWay ? [other.target, other.source] : [other.target]
            return ends.contains { names in
                guard let (owner, component) = holder(names) else { return false }
                let name = names[component]
                return read.contains(RefSlot(owner, name)) || read.contains(RefSlot(owner, nil))
                    || isAround(names, binding.target)
            }
        }
    }

    /// Whether the path leads to an array on the way to an element: the element's array, or one around that.
    private func isAround(_ names: [String], _ element: [String]) -> Bool {
        guard let (owner, component) = holder(names), let (other, start) = holder(element), owner === other,
            names[component] == element[start]
        else { return false }
        let (outer, inner) = (names[component...], element[start...])
        return outer.count < inner.count && inner.starts(with: outer)
    }

    /// The model with the property at the path's end, or with the array that the end indexes.
    private func holder(_ names: [String]) -> (RefModel, component: Int)? {
        let walk = walk(names)
        guard walk.broken == nil, let component = walk.owners.lastIndex(where: { $0 != nil }),
            let owner = walk.owners[component]
        else { return nil }
        return (owner, component)
    }

    // MARK: Deciding

    private func ends(_ binding: RefBinding) -> RefEnds {
        let value = value(at: binding.source)
        let holder = holder(binding.target)
        return RefEnds(
            source: binding.observedOperator.map { $0.function.value(over: value, $0.names, in: self) }
                ?? value,
            target: self.value(at: binding.target),
            owner: holder?.0,
            indexCount: holder.map { binding.target.count - 1 - $0.component } ?? 0
        )
    }

    private func note(_ binding: RefBinding) {
        binding.isNew = false
        binding.last = ends(binding)
    }

    private func ways(_ binding: RefBinding) -> [RefWalk] { [walk(binding.source), walk(binding.target)] }

    /// The direction of the next write; nil if none is needed.
    private func isBackward(_ binding: RefBinding) -> Bool? {
        let (now, last) = (ends(binding), binding.last)
        let isTargetChanged = !now.target.equals(last.target)
        if binding.isNew || !now.source.equals(last.source) { return false }
        if now.owner !== last.owner || now.indexCount != last.indexCount { return false }
        switch arrays(around: binding.target) {
        case .assigned where isTargetChanged || !binding.hasFollowed: return false
        case .moved where isTargetChanged: return false
        default: break
        }
        if isTargetChanged, binding.isTwoWay { return true }
        guard let failure = binding.failure else { return nil }
        let ways = ways(binding)
        if failure.ways.count == 2, zip(ways, failure.ways).allSatisfy({ $0.leads(like: $1) }) { return nil }
        return failure.isBackward
    }

    private enum RefArrays {
        case kept
        case moved
        case assigned
    }

    /// Whether this commit assigned an array around the element, or else moved elements there.
    private func arrays(around names: [String]) -> RefArrays {
        guard let (owner, component) = holder(names), component < names.count - 1,
            let mark = marks.first(where: { $0.owner === owner && $0.name == names[component] })
        else { return .kept }
        if mark.isAssigned { return .assigned }
        var edits = RefEdits(all: mark.edits)
        for index in names[(component + 1)..<(names.count - 1)] {
            if edits.isShifted { return .moved }
            let (isReplaced, _, inner) = edits.element(arrayIndex(index) ?? -1)
            if isReplaced { return .assigned }
            edits = inner
        }
        return edits.isShifted ? .moved : .kept
    }

    // MARK: Writing

    private func propagate(_ binding: RefBinding, isBackward: Bool) {
        let now = ends(binding)
        note(binding)
        if case .assigned = arrays(around: binding.target) { binding.hasFollowed = true }
        let (new, present) = isBackward ? (now.target, now.source) : (now.source, now.target)
        let names = isBackward ? binding.source : binding.target
        binding.failure = nil
        if new.equals(present), new.model == nil || !isWeak(names) { return }
        do {
            writing = binding.number
            defer { writing = nil }
            try put(new, names)
            binding.hasWritten = true
            nullDeadReferences()
            recompute()
            note(binding)
        } catch {
            let isCycle = (error as? RefError)?.kind == .referenceCycle
            binding.failure = (ways(binding), isBackward, isCycle)
        }
    }

    private func isWeak(_ names: [String]) -> Bool {
        guard case .property(let owner, let name) = place(names) else { return false }
        return owner.isWeak(name) && !isDeclaredWeak(owner, name)
    }

    private func put(_ value: RefValue, _ names: [String]) throws {
        let value = value.isAbsent ? RefValue.null : value
        let failure = RefError(kind: .typeMismatch)
        switch place(names) {
        case .property(let owner, let name):
            let declared = try writable(names)
            guard let new = fitting(value, declared.type) else { throw failure }
            if declared.isWeak, new.model == nil, !new.isNull { throw failure }
            if !declared.isWeak { try refuseCycle(new, owner) }
            _ = put(owner, name, new)
        case .element(let owner, let name, let indices):
            guard let new = fitting(value, try writable(names).type) else { throw failure }
            try refuseCycle(new, owner)
            _ = replace(owner, name, indices, new)
        case .missingElement, .broken: throw failure
        }
    }

    private func refuseCycle(_ value: RefValue, _ owner: RefModel) throws {
        if value.models.contains(where: { leads(from: $0, to: owner) }) {
            throw RefError(kind: .referenceCycle)
        }
    }

    // MARK: Reading

    /// All properties on the binding's paths, and the inputs of computed properties there. A one-way binding does not
    /// read its target's value.
    private func reads(_ binding: RefBinding) -> Set<RefSlot> {
        var found: Set<RefSlot> = []
        read(.model(root), binding.source, binding.observedOperator, &found)
        var target: Set<RefSlot> = []
        var names = binding.target
        if !binding.isTwoWay, let (_, component) = holder(names) { names.removeSubrange(component...) }
        read(.model(root), names, nil, &target)
        return found.union(target)
    }

    private func read(
        _ start: RefValue,
        _ names: [String],
        _ observedOperator: (function: CollectionOperator, names: [String])?,
        _ found: inout Set<RefSlot>
    ) {
        var value = start
        for name in names {
            if case .model(let model) = value { read(model, name, &found) }
            value = self.value(value, [name])
        }
        guard let observedOperator else { return }
        switch value {
        case .array(let elements):
            for element in elements { read(element, observedOperator.names, nil, &found) }
        case .model(let model):
            found.insert(RefSlot(model, nil))
            for property in model.properties where !property.isWeak {
                read(property.value, observedOperator.names, nil, &found)
            }
        default: break
        }
    }

    private func read(_ model: RefModel, _ name: String, _ found: inout Set<RefSlot>) {
        guard found.insert(RefSlot(model, name)).inserted, let parts = template(model, name)?.computed?.parts
        else { return }
        for path in parts.flatMap(\.paths) { read(.model(model), path.names, path.observedOperator, &found) }
    }
}

extension RefWalk {
    fileprivate func leads(like other: RefWalk) -> Bool {
        zip(values, other.values).allSatisfy { $0.equals($1) } && zip(owners, other.owners).allSatisfy(===)
    }
}
