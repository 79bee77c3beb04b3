// SPDX-License-Identifier: MIT
// What values that end do by the contract's words: each property has its stack, written down in full.

@testable import ObserveCore

/// When a value of the reference tree ends.
enum RefTerm: Equatable {
    case owner(Int32)
    /// At a time that only orders.
    case time(UInt64)

    var driven: OverlayTerm {
        switch self {
        case .owner(let owner): .owner(owner)
        case .time(let end): .time(MonotonicTime(nanoseconds: end), milliseconds: 0)
        }
    }
}

/// One value in a property's stack; the last one's is what the property shows.
struct RefLayer {
    var number = 0
    var term: RefTerm?
    var value = RefValue.absent
    var isWeak = false

    func givesWay(to other: RefTerm) -> Bool {
        switch (term, other) {
        case (.owner(let a), .owner(let b)): a == b
        case (.time(let a), .time(let b)): a <= b
        default: false
        }
    }
}

extension ReferenceTree {
    func lay(_ names: [String], _ draft: Draft, _ term: RefTerm) throws -> Bool {
        try refuseReserved(names)
        let (model, name) = try layable(names)
        return lay(model, name, draft.value(at: revision + 1), isWeak: false, term)
    }

    func layLink(_ names: [String], _ target: [String], _ isWeak: Bool, _ term: RefTerm) throws -> Bool {
        try refuseReserved(names)
        let found = walk(target).values[target.count - 1]
        guard let new = found.model else {
            throw RefError(kind: found.isNull ? .notFound : .typeMismatch, path: dotted(target[...]))
        }
        let (model, name) = try layable(names)
        if !isWeak { try refuseCycle(model, new, names) }
        return lay(model, name, .model(new), isWeak: isWeak, term)
    }

    private func layable(_ names: [String]) throws -> (RefModel, String) {
        switch place(names) {
        case .property(let model, let name): return (model, name)
        case .element: throw RefError(kind: .invalidValue, path: dotted(names[...]))
        case .missingElement: throw RefError(kind: .notFound, path: dotted(names[...]))
        case .broken(let component, let isScalar):
            throw RefError(kind: isScalar ? .typeMismatch : .notFound, path: dotted(names[...component]))
        }
    }

    private func lay(_ model: RefModel, _ name: String, _ new: RefValue, isWeak: Bool, _ term: RefTerm)
        -> Bool
    {
        var stack = model.stacks[name] ?? [RefLayer()]
        let (old, wasWeak) = (model.value(name), model.isWeak(name))
        stack[stack.count - 1].value = old
        stack[stack.count - 1].isWeak = wasWeak
        stack.removeAll { $0.givesWay(to: term) }
        lastLayer += 1
        stack.append(RefLayer(number: lastLayer, term: term))
        model.stacks[name] = stack
        if !old.isAbsent, wasWeak == isWeak, old.equals(new) {
            marks[mark(model, name, clears: false)].isAssignedEqual = true
            return false
        }
        assign(model, name, new, isWeak: isWeak, clears: false)
        return true
    }

    /// Ends all values of that term, as one commit. Returns the events.
    func end(_ term: RefTerm) -> [TreeEvent] {
        marks = []
        hasChanged = false
        let ending = ([root] + models).flatMap { model in
            model.stacks.flatMap { name, stack in
                stack.filter { $0.term == term }.map { (model, name, $0.number) }
            }
        }
        let living = [root] + models
        for (model, name, number) in ending.sorted(by: { $0.2 < $1.2 }) {
            end(number, of: model, name, living)
        }
        return finish()
    }

    private func end(_ number: Int, of model: RefModel, _ name: String, _ living: [RefModel]) {
        guard var stack = model.stacks[name], let index = stack.firstIndex(where: { $0.number == number })
        else { return }
        stack.remove(at: index)
        model.stacks[name] = stack.count > 1 ? stack : nil
        guard index == stack.count else { return }
        var below = stack[index - 1]
        if below.isWeak, let target = below.value.model, !living.contains(where: { $0 === target }) {
            below.value = .null
        }
        if below.value.isAbsent {
            removeProperty(model, name)
        } else if model.isWeak(name) != below.isWeak || !model.value(name).equals(below.value) {
            assign(model, name, below.value, isWeak: below.isWeak, clears: false)
        }
    }

    /// All terms that some value has.
    var terms: [RefTerm] {
        ([root] + models).flatMap { $0.stacks.values.flatMap { $0.compactMap(\.term) } }
    }
}
