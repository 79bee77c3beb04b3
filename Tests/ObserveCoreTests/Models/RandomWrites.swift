// SPDX-License-Identifier: MIT
// Random writes and paths that mostly hit what is there. Looks at the reference tree, never at the one that is tested.

@testable import ObserveCore

/// What a run of random writes is made of.
struct RandomWrites {
    static let roots = ["r", "s", "app", "t.u"]
    static let allNames = ["a", "b", "c", "list", "weak", "0", "x.y", "*"]
    /// What properties are called.
    let names: [String]
    /// How many of a hundred writes have a lifetime.
    var lifetimes = 0

    var random: SeededGenerator

    init(seed: UInt64, names: [String] = allNames) {
        random = SeededGenerator(seed: seed)
        self.names = names
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func one(of names: [String]) -> String { names[below(names.count)] }

    // MARK: Paths

    /// A path that leads along what is there, and now and then a step beside or beyond it.
    mutating func path(in tree: ReferenceTree, stop: Int = 25) -> [String] {
        var names = [chance(1) ? "observed" : one(of: RandomWrites.roots)]
        // Often along a path that is watched.
        if !tree.watches.isEmpty, chance(50) {
            let watched = tree.watches[below(tree.watches.count)].names
            names = Array(watched.prefix(1 + below(watched.count)))
        }
        var value = tree.walk(names).values[names.count - 1]
        while names.count < 9, !chance(stop) {
            switch value {
            case .model(let model):
                let isKnown = !model.properties.isEmpty && chance(85)
                let name =
                    isKnown
                    ? model.properties[below(model.properties.count)].name : one(of: self.names)
                names.append(name)
                value = model.value(name)
            case .array(let elements):
                if chance(5) {
                    names.append("a")
                    value = .absent
                } else {
                    let index = below(elements.count + (chance(20) ? 2 : 0) + (elements.isEmpty ? 1 : 0))
                    names.append(String(index))
                    value = index < elements.count ? elements[index] : .absent
                }
            default:
                if chance(80) { return names }
                names.append(chance(30) ? "0" : one(of: self.names))
                value = .absent
            }
        }
        return names
    }

    /// A path to a model, if one is soon found.
    private mutating func pathToModel(in tree: ReferenceTree) -> [String] {
        var names = path(in: tree)
        for _ in 0..<4 {
            if tree.walk(names).values[names.count - 1].model != nil { break }
            names = path(in: tree)
        }
        return names
    }

    /// A path to an array, if one is soon found.
    private mutating func pathToArray(in tree: ReferenceTree) -> [String]? {
        for _ in 0..<6 {
            var names = path(in: tree)
            while !names.isEmpty {
                if case .array = tree.walk(names).values[names.count - 1] { return names }
                names.removeLast()
            }
        }
        return nil
    }

    // MARK: Values

    private mutating func draft(_ depth: Int, isCrowded: Bool) -> Draft {
        let limit = depth == 0 || isCrowded ? 10 : 22
        switch below(limit) {
        case 0, 1: return .null
        case 2: return .bool(chance(50))
        case 3, 4, 5: return .int(chance(4) ? [.max, .min, .max - 1, 1 << 53][below(4)] : below(3))
        case 6: return .double([0.0, 1.0, 2.5][below(3)])
        case 7, 8: return .string(["", "a", "b"][below(3)])
        case 9, 10, 11, 12, 13:
            var elements: [Draft] = []
            for _ in 0..<below(4) {
                elements.append(draft(depth - (depth > 0 ? 1 : 0), isCrowded: isCrowded))
            }
            return depth == 0 ? .int(below(3)) : .array(elements)
        default:
            var members: [(name: String, value: Draft)] = []
            for _ in 0..<below(4) {
                members.append((one(of: self.names), draft(depth - 1, isCrowded: isCrowded)))
            }
            return .object(members)
        }
    }

    /// The draft that `value` was made from, or an equal one, with each model a new one.
    private mutating func copy(_ value: RefValue) -> Draft {
        switch value {
        case .absent, .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let int): return chance(30) ? .double(Double(int)) : .int(int)
        case .double(let double): return double == 1 && chance(30) ? .int(1) : .double(double)
        case .string(let string): return .string(string)
        case .array(let elements):
            var copies: [Draft] = []
            for element in elements { copies.append(copy(element)) }
            return .array(copies)
        case .model(let model):
            var members: [(name: String, value: Draft)] = []
            for property in model.properties where !property.isWeak {
                members.append((property.name, copy(property.value)))
            }
            return .object(members)
        }
    }

    // MARK: Writes

    mutating func write(in tree: ReferenceTree) -> RefWrite {
        let isCrowded = tree.modelCount > 24
        if lifetimes > 0, chance(lifetimes) { return lay(in: tree, isCrowded: isCrowded) }
        switch below(100) {
        case 0..<44:
            let names = path(in: tree)
            if chance(12) {
                return .set(names, copy(tree.walk(names).values[names.count - 1]), parents: false)
            }
            return .set(names, draft(3, isCrowded: isCrowded), parents: chance(25))
        case 44..<50:
            if let names = pathToArray(in: tree),
                case .array(let elements) = tree.walk(names).values[names.count - 1]
            {
                let draft = draft(2, isCrowded: isCrowded)
                return .insert(names, draft, index: below(elements.count + 1))
            }
            return .set(path(in: tree), .array([]), parents: false)
        case 50..<70: return .remove(path(in: tree, stop: isCrowded ? 60 : 20))
        case 70..<86:
            let names = path(in: tree)
            // Mostly to elsewhere; at times to what is there already.
            return .link(names, target: chance(15) ? names : pathToModel(in: tree), isWeak: false)
        default: return .link(path(in: tree), target: pathToModel(in: tree), isWeak: true)
        }
    }

    private mutating func lay(in tree: ReferenceTree, isCrowded: Bool) -> RefWrite {
        let term: RefTerm = chance(60) ? .owner(Int32(below(5))) : .time(UInt64(below(8)))
        let names = path(in: tree)
        switch below(4) {
        case 0: return .layLink(names, target: pathToModel(in: tree), isWeak: chance(50), term)
        case 1: return .lay(names, copy(tree.walk(names).values[names.count - 1]), term)
        default: return .lay(names, draft(2, isCrowded: isCrowded), term)
        }
    }

    mutating func condition(for write: RefWrite, in tree: ReferenceTree) -> RefCondition? {
        guard chance(6) else { return nil }
        let names: [String] =
            switch write {
            case .set(let names, _, _), .remove(let names), .link(let names, _, _), .insert(let names, _, _),
                .lay(let names, _, _), .layLink(let names, _, _, _):
                names
            }
        if chance(50) {
            let recent = UInt64(below(12))
            return RefCondition(names: names, revision: tree.revision - min(recent, tree.revision))
        }
        let value = tree.walk(names).values[names.count - 1]
        return RefCondition(names: names, value: chance(60) ? copy(value) : copy(.array([value])))
    }
}
