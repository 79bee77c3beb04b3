// SPDX-License-Identifier: MIT
// Random subscriptions to existing paths: literal, with wildcards, all below a path, with operators.

@testable import ObserveCore

extension RandomWrites {
    /// The paths of one subscription.
    mutating func subscription(in tree: ReferenceTree) -> [RefPattern] {
        switch below(10) {
        case 0..<4:
            (0...below(4)).map { _ in chance(15) ? operatorPattern(in: tree, wildcards: 0) : literal(in: tree)
            }
        case 4, 5: (0...below(3)).map { _ in wildcards(45, atMost: 3, in: tree) }
        case 6, 7: [deep(in: tree)]
        case 8: [wildcards(45, atMost: 3, in: tree), operatorPattern(in: tree, wildcards: 20)]
        default: (0...below(2)).map { _ in operatorPattern(in: tree, wildcards: 20) }
        }
    }

    private mutating func literal(in tree: ReferenceTree) -> RefPattern {
        RefPattern(parts: path(in: tree, stop: 15).map { .name($0) })
    }

    /// A path with some `*` components.
    private mutating func wildcards(_ percent: Int, atMost limit: Int, in tree: ReferenceTree) -> RefPattern {
        var path = path(in: tree, stop: 30)
        if path.count > 5 { path.removeLast(path.count - 5) }
        var left = limit
        return RefPattern(
            parts: path.map { name in
                guard left > 0, chance(percent) else { return .name(name) }
                left -= 1
                return .anyName
            }
        )
    }

    private mutating func deep(in tree: ReferenceTree) -> RefPattern {
        if chance(10) { return RefPattern(parts: [.anyDepth]) }
        var pattern = wildcards(20, atMost: 2, in: tree)
        if pattern.parts.count > 4 { pattern.parts.removeLast(pattern.parts.count - 4) }
        pattern.parts.append(.anyDepth)
        return pattern
    }

    private mutating func operatorPattern(in tree: ReferenceTree, wildcards percent: Int) -> RefPattern {
        var parts = wildcards(percent, atMost: 2, in: tree).parts
        if parts.count > 3 { parts.removeLast(parts.count - 3) }
        let function = CollectionOperator.allCases[below(CollectionOperator.allCases.count)]
        var names: [String] = []
        if function != .count {
            for _ in 0..<[0, 0, 1, 1, 1, 2, 3][below(7)] { names.append(one(of: self.names)) }
        }
        return RefPattern(parts: parts + [.observedOperator(function, names)])
    }
}
