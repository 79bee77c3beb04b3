// SPDX-License-Identifier: MIT
// What values that end do by the contract's words: each property has its stack, written down in full.

@testable import ObserveCore

/// The lifetime that a write asks for.
enum RefLifetime {
    case connection
    case milliseconds(UInt64)

    var json: String {
        switch self {
        case .connection: "\"connection\""
        case .milliseconds(let milliseconds): "\(milliseconds)"
        }
    }
}

/// When a value ends.
enum RefTerm: Hashable {
    case owner(Int32)
    /// In milliseconds.
    case time(UInt64)
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
    func lay(_ model: RefModel, _ name: String, _ new: RefValue, isWeak: Bool, _ term: RefTerm) -> Bool {
        let isWeak = isWeak || isDeclaredWeak(model, name)
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

    /// Ends all values of that term, as one commit.
    func end(_ term: RefTerm) {
        begin()
        let living = [root] + models
        let ending = living.flatMap { model in
            model.stacks.flatMap { name, stack in
                stack.filter { $0.term == term }.map { (model, name, $0.number) }
            }
        }
        for (model, name, number) in ending.sorted(by: { $0.2 < $1.2 }) {
            end(number, of: model, name, living)
        }
        nullDeadReferences()
        _ = end()
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
            _ = remove(model, name)
        } else if model.isWeak(name) != below.isWeak || !model.value(name).equals(below.value) {
            assign(model, name, below.value, isWeak: below.isWeak, clears: false)
        }
    }

    /// All terms that some value has.
    var terms: Set<RefTerm> {
        Set(([root] + models).flatMap { $0.stacks.values.flatMap { $0.compactMap(\.term) } })
    }
}
