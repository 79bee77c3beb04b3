// SPDX-License-Identifier: MIT
// Random writes and paths, mostly to existing values. Reads the reference tree only, never the tested one.

@testable import ObserveCore

/// The generator of a run's random writes.
struct RandomWrites {
    static let roots = ["r", "s", "app", "t.u"]
    static let allNames = ["a", "b", "c", "list", "weak", "0", "x.y", "*", "", "n/m"]
    /// The names of properties.
    let names: [String]

    var random: SeededGenerator
    /// The percentage of assignments with a lifetime.
    var lifetimes = 0
    /// The observed paths, which most writes use.
    var watched: [[String]] = []
    /// The roots that hold the bindings' targets.
    var targetRoots: [String] = []
    /// The path of the last write, and the value that was there.
    private var lastNames: [String] = []
    private var lastValue = RefValue.absent

    init(seed: UInt64, names: [String] = allNames) {
        random = SeededGenerator(seed: seed)
        self.names = names
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func one(of names: [String]) -> String { names[below(names.count)] }

    // MARK: Paths

    /// A path along existing values, and sometimes a step beside or beyond them.
    mutating func path(in tree: ReferenceTree, stop: Int = 25) -> [String] {
        var names = [chance(1) ? "observed" : one(of: RandomWrites.roots)]
        // Often along an observed path, or the last written one.
        if chance(20), !lastNames.isEmpty {
            names = Array(lastNames.prefix(1 + below(lastNames.count)))
        } else if !watched.isEmpty, chance(50) {
            let watched = watched[below(watched.count)]
            names = Array(watched.prefix(1 + below(watched.count)))
        }
        var value = tree.value(at: names)
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

    /// A path to a model, if a few tries find one.
    private mutating func pathToModel(in tree: ReferenceTree) -> [String] {
        var names = path(in: tree)
        for _ in 0..<4 {
            if tree.value(at: names).model != nil { break }
            names = path(in: tree)
        }
        return names
    }

    /// A path to an array, if a few tries find one.
    private mutating func pathToArray(in tree: ReferenceTree) -> [String]? {
        for _ in 0..<6 {
            var names = path(in: tree)
            while !names.isEmpty {
                if case .array = tree.value(at: names) { return names }
                names.removeLast()
            }
        }
        return nil
    }

    // MARK: Values

    mutating func draft(_ depth: Int, isCrowded: Bool) -> Draft {
        let limit = depth == 0 || isCrowded ? 10 : 22
        switch below(limit) {
        case 0, 1: return .null
        case 2: return .bool(chance(50))
        case 3, 4, 5: return .int(chance(4) ? [.max, .min, .max - 1, 1 << 53][below(4)] : below(3))
        case 6: return .double([0.0, 1.0, 2.5, 0.1, 0.7][below(5)])
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

    /// A draft equal to `value`, which makes each model anew.
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

    /// A random write for the current tree.
    mutating func operation(in tree: ReferenceTree) -> RefOperation {
        if !targetRoots.isEmpty, chance(12) {
            return RefOperation(write: writeToTarget(in: tree), condition: nil)
        }
        // Often the value of before again, with numbers of another form: within a commit, this changes nothing.
        let isBack = !lastNames.isEmpty && chance(5)
        let write = isBack ? .set(lastNames, copy(lastValue), parents: false) : write(in: tree)
        lastNames = write.names
        lastValue = tree.value(at: lastNames)
        var operation = RefOperation(write: write, condition: condition(for: write.names, in: tree))
        switch write {
        case .set, .link:
            if lifetimes > 0, chance(lifetimes) {
                operation.lifetime = chance(60) ? .connection : .milliseconds(UInt64(1 + below(60)))
            }
        case .merge, .remove, .insert, .increment: break
        }
        return operation
    }

    /// A client writes a binding's target, or makes it lead elsewhere.
    private mutating func writeToTarget(in tree: ReferenceTree) -> RefWrite {
        let root = one(of: targetRoots)
        switch below(8) {
        case 0: return .set([root], .null, parents: false)
        case 1: return .set([root], .int(1), parents: false)
        case 2: return .remove([root, "t"])
        case 3, 4: return .set([root], .object([("t", draft(1, isCrowded: true))]), parents: false)
        default: return .set([root, "t"], draft(1, isCrowded: true), parents: false)
        }
    }

    /// A binding's source: an existing path, or another binding's target.
    mutating func source(in tree: ReferenceTree) -> [String] {
        if chance(40) { return target() }
        return pathToBind(in: tree)
    }

    /// A binding's target: often that of other bindings too.
    mutating func target(in tree: ReferenceTree) -> [String] {
        chance(60) ? target() : pathToBind(in: tree)
    }

    private mutating func target() -> [String] {
        let target = [one(of: targetRoots), "t"]
        // Often an element, whose array other bindings write.
        return target + (chance(30) ? [chance(50) ? "0" : one(of: names)] : [])
    }

    private mutating func pathToBind(in tree: ReferenceTree) -> [String] {
        var names = path(in: tree, stop: 20)
        while names[0] == "observed" { names = path(in: tree, stop: 20) }
        return names
    }

    private mutating func write(in tree: ReferenceTree) -> RefWrite {
        let isCrowded = tree.modelCount > 24
        switch below(100) {
        case 0..<33:
            let names = path(in: tree)
            if chance(12) { return .set(names, copy(tree.value(at: names)), parents: false) }
            return .set(names, draft(for: names, in: tree, isCrowded: isCrowded), parents: chance(25))
        case 33..<42:
            let names = path(in: tree)
            return .merge(names, patch(for: names, in: tree, isCrowded: isCrowded))
        case 42..<55: return insertion(in: tree, isCrowded: isCrowded)
        case 55..<62: return .increment(path(in: tree), by: chance(40) ? nil : step())
        case 62..<76: return .remove(path(in: tree, stop: isCrowded ? 60 : 20))
        case 76..<89:
            let names = path(in: tree)
            // Mostly to another model; sometimes to the present one.
            return .link(names, target: chance(15) ? names : pathToModel(in: tree), isWeak: false)
        default: return .link(path(in: tree), target: pathToModel(in: tree), isWeak: true)
        }
    }

    private mutating func insertion(in tree: ReferenceTree, isCrowded: Bool) -> RefWrite {
        let names = pathToArray(in: tree) ?? path(in: tree)
        var count = 1
        if case .array(let elements) = tree.value(at: names) { count = elements.count }
        let source: RefSource =
            chance(30)
            ? .target(pathToModel(in: tree))
            : .value(draft(for: names + ["0"], in: tree, isCrowded: isCrowded))
        return .insert(names, source, index: chance(25) ? nil : below(count + (chance(5) ? 3 : 1)))
    }

    private mutating func patch(for names: [String], in tree: ReferenceTree, isCrowded: Bool) -> Draft {
        if chance(10) { return draft(for: names, in: tree, isCrowded: isCrowded) }
        var members: [(name: String, value: Draft)] = []
        for _ in 0..<(1 + below(4)) {
            var name = one(of: self.names)
            if case .named(let type) = tree.value(at: names).model?.type ?? .open, chance(85) {
                let known = tree.schema.properties(of: type)
                if !known.isEmpty { name = known[below(known.count)].name }
            }
            let draft = draft(for: names + [name], in: tree, isCrowded: isCrowded)
            members.append((name, chance(35) ? .null : draft))
        }
        return .object(members)
    }

    private mutating func step() -> Draft {
        switch below(8) {
        case 0: .int([Int.max, .min, 1 << 53, -1][below(4)])
        case 1: .double([0.5, -2.5, 1.7e308, -0.0][below(4)])
        case 2: .int(0)
        case 3: .double(1)
        default: .int(below(5) - 2)
        }
    }

    private mutating func condition(for names: [String], in tree: ReferenceTree) -> RefCondition? {
        guard chance(8) else { return nil }
        var condition = RefCondition()
        // The revision of a computed property that a commit left unchanged is unspecified.
        let isComputed = names.contains { $0 == "c1" || $0 == "c2" }
        if chance(50), !isComputed {
            condition.revision = tree.revision - min(UInt64(below(12)), tree.revision)
        }
        if condition.revision == nil || chance(20) {
            let value = tree.value(at: names)
            condition.value = chance(70) ? copy(value) : copy(.array([value]))
        }
        return condition
    }
}
