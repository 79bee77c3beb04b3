// SPDX-License-Identifier: MIT
// The oracle's temporary values, after the protocol: each property has its whole stack.

@testable import ObserveCore

/// A write's requested lifetime.
enum RefLifetime: Hashable {
    case connection
    case milliseconds(UInt64)

    var json: String {
        switch self {
        case .connection: "\"connection\""
        case .milliseconds(let milliseconds): "\(milliseconds)"
        }
    }
}

/// When a value expires.
enum RefExpiry: Hashable {
    case owner(Int32)
    /// In milliseconds.
    case time(UInt64)
}

/// One value in a property's stack; the property shows the last one.
struct RefTemporaryValue {
    var number = 0
    var term: RefExpiry?
    var value = RefValue.absent
    var isWeak = false
    /// The maker of a temporary value.
    var author: RefAuthor?

    func givesWay(to other: RefExpiry) -> Bool {
        switch (term, other) {
        case (.owner(let a), .owner(let b)): a == b
        case (.time(let a), .time(let b)): a <= b
        default: false
        }
    }
}

extension ReferenceTree {
    func lay(_ model: RefModel, _ name: String, _ new: RefValue, isWeak: Bool, _ term: RefExpiry) -> Bool {
        let isWeak = isWeak || isDeclaredWeak(model, name)
        var stack = model.stacks[name] ?? [RefTemporaryValue()]
        let (old, wasWeak) = (model.value(name), model.isWeak(name))
        stack[stack.count - 1].value = old
        stack[stack.count - 1].isWeak = wasWeak
        stack.removeAll { $0.givesWay(to: term) }
        lastLayer += 1
        stack.append(RefTemporaryValue(number: lastLayer, term: term, author: author))
        model.stacks[name] = stack
        if !old.isAbsent, wasWeak == isWeak, old.equals(new) {
            marks[mark(model, name, clears: false)].isAssignedEqual = true
            return false
        }
        assign(model, name, new, isWeak: isWeak, clears: false)
        return true
    }

    /// Expires all values with that end, as one commit.
    func end(_ term: RefExpiry) {
        begin()
        author = .lifetime(requested[term] ?? .connection)
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

    /// The ends of all temporary values.
    var terms: Set<RefExpiry> {
        Set(([root] + models).flatMap { $0.stacks.values.flatMap { $0.compactMap(\.term) } })
    }
}
