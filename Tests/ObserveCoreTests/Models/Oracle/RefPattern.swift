// SPDX-License-Identifier: MIT
// The oracle's patterns and operators, after the protocol. It evaluates each from the roots. Independent of
// subscriptions.

@testable import ObserveCore

/// A parsed pattern or literal path.
struct RefPattern {
    enum Part {
        case name(String)
        case anyName
        case anyDepth
        /// With its key path; always the last part.
        case observedOperator(CollectionOperator, [String])
    }

    var parts: [Part]

    var text: String {
        parts.map { part in
            switch part {
            case .name(let name): dotted([name])
            case .anyName: "*"
            case .anyDepth: "**"
            case .observedOperator(let function, let names): function.text(names)
            }
        }.joined(separator: ".")
    }

    var isDeep: Bool { if case .anyDepth = parts.last { true } else { false } }

    /// The concrete paths that match now: the text of each, its names before an operator, and the operator.
    func matches(in tree: ReferenceTree) -> [String: RefMatch] {
        var parts = parts
        if case .anyDepth = parts[0] { parts.insert(.anyName, at: 0) }
        var found: [RefMatch] = [RefMatch(names: [])]
        for part in parts {
            switch part {
            case .name(let name): for index in found.indices { found[index].names.append(name) }
            case .anyName:
                found = found.flatMap { match in
                    tree.components(at: match.names).map { RefMatch(names: match.names + [$0]) }
                }
            case .anyDepth: for index in found.indices { found[index].isDeep = true }
            case .observedOperator(let function, let names):
                for index in found.indices { found[index].observedOperator = (function, names) }
            }
        }
        return Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
    }
}

/// A concrete path that matches a pattern.
struct RefMatch {
    var names: [String]
    var isDeep = false
    var observedOperator: (function: CollectionOperator, names: [String])?

    var path: String {
        let path = dotted(names[...])
        return observedOperator.map { path + "." + $0.function.text($0.names) } ?? path
    }
}

extension CollectionOperator {
    func text(_ names: [String]) -> String {
        let name =
            switch self {
            case .count: "@count"
            case .sum: "@sum"
            case .avg: "@avg"
            case .min: "@min"
            case .max: "@max"
            case .unionOfObjects: "@unionOfObjects"
            case .distinctUnionOfObjects: "@distinctUnionOfObjects"
            }
        return names.isEmpty ? name : name + "." + dotted(names[...])
    }

    /// The operator's value for the container.
    func value(over container: RefValue, _ names: [String], in tree: ReferenceTree) -> RefValue {
        var elements: [RefValue] = []
        switch container {
        case .array(let array): elements = array
        case .model(let model): elements = model.properties.filter { !$0.isWeak }.map(\.value)
        default: return .null
        }
        if self == .count { return .int(elements.count) }
        let values = elements.map { tree.value($0, names) }.filter { !$0.isNull }
        var numbers: [RefValue] = []
        for value in values {
            switch value {
            case .int, .double: numbers.append(value)
            default: break
            }
        }
        switch self {
        case .count: return .int(elements.count)
        case .sum: return RefValue.sum(numbers)
        case .avg:
            guard !numbers.isEmpty else { return .null }
            guard case .int(let sum) = RefValue.sum(numbers) else {
                guard case .double(let sum) = RefValue.sum(numbers) else { return .null }
                return .double(sum / Double(numbers.count))
            }
            return .double(Double(sum) / Double(numbers.count))
        case .min: return numbers.dropFirst().reduce(numbers.first ?? .null) { $1.isLess($0) ? $1 : $0 }
        case .max: return numbers.dropFirst().reduce(numbers.first ?? .null) { $0.isLess($1) ? $1 : $0 }
        case .unionOfObjects: return .array(values)
        case .distinctUnionOfObjects:
            var kept: [RefValue] = []
            for value in values where !kept.contains(where: { $0.equals(value) }) { kept.append(value) }
            return .array(kept)
        }
    }
}

extension RefValue {
    fileprivate static func sum(_ numbers: [RefValue]) -> RefValue {
        var (exact, parts, isExact): (Int128, [Double], Bool) = (0, [], true)
        for number in numbers {
            switch number {
            case .int(let int):
                exact += Int128(int)
                // Each half is a double without rounding.
                parts += [Double(int >> 32) * 0x1p32, Double(int & 0xFFFF_FFFF)]
            case .double(let double):
                parts.append(double)
                isExact = false
            default: break
            }
        }
        if isExact { return Int(exactly: exact).map(RefValue.int) ?? .double(Double(exact)) }
        let sum = exactSum(parts)
        // A sum of zero has no sign.
        return sum.isFinite ? .double(sum + 0) : .null
    }

    fileprivate func isLess(_ other: RefValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        // Exact: the doubles of these tests are small, or whole and beyond 2⁵³.
        case (.int(let a), .double(let b)):
            b >= 9.3e18 || (b > -9.3e18 && (Double(a) < b || (Double(a) == b && a < Int128(b))))
        case (.double(let a), .int(let b)):
            a <= -9.3e18 || (a < 9.3e18 && (a < Double(b) || (a == Double(b) && Int128(a) < b)))
        default: false
        }
    }
}

extension ReferenceTree {
    /// The existing components below a path: properties, or indices.
    func components(at names: [String]) -> [String] {
        switch value(at: names) {
        case .model(let model): model.properties.map(\.name)
        case .array(let elements): elements.indices.map(String.init)
        default: []
        }
    }

    /// The value of a path below a value.
    func value(_ start: RefValue, _ names: [String]) -> RefValue {
        var value = start
        for name in names { value = component(name, of: value) }
        return value
    }

    private func component(_ name: String, of value: RefValue) -> RefValue {
        switch value {
        case .model(let model): return model.value(name)
        case .array(let elements):
            let index = arrayIndex(name) ?? elements.count
            return index < elements.count ? elements[index] : .absent
        default: return .absent
        }
    }

    /// The result of ``walk(_:)`` before the last commit.
    func walkBefore(_ names: [String]) -> RefWalk {
        var walk = RefWalk()
        var value = RefValue.model(root)
        for name in names {
            var owner: RefModel?
            if case .model(let model) = value {
                owner = model
                let mark = marks.first { $0.owner === model && $0.name == name }
                value = mark.map(\.before) ?? model.value(name)
            } else {
                value = component(name, of: value)
            }
            walk.values.append(value)
            walk.owners.append(owner)
        }
        return walk
    }
}

/// The exact sum of doubles, rounded once: Shewchuk's sum of parts that do not overlap.
func exactSum(_ doubles: [Double]) -> Double {
    var parts: [Double] = []
    for double in doubles {
        var sum = double
        var kept: [Double] = []
        for part in parts {
            let (large, small) = abs(sum) < abs(part) ? (part, sum) : (sum, part)
            sum = large + small
            let rest = small - (sum - large)
            if rest != 0 { kept.append(rest) }
        }
        parts = kept + [sum]
    }
    guard parts.allSatisfy(\.isFinite) else { return .nan }
    var sum = parts.popLast() ?? 0
    while let part = parts.popLast() {
        let rounded = sum + part
        let rest = part - (rounded - sum)
        sum = rounded
        guard rest != 0 else { continue }
        // A tie was rounded to even; a part below it decides.
        if let below = parts.last, (rest < 0) == (below < 0), (rounded + rest * 2) - rounded == rest * 2 {
            return rounded + rest * 2
        }
        break
    }
    return sum
}
