// SPDX-License-Identifier: MIT
// Whether patterns of one subscription may match the same paths. Independent of the tree.

/// The part of a pattern that decides where it may match.
struct PatternShape {
    /// Nil for a wildcard.
    private var names: [[UInt8]?] = []
    private var isDeep = false

    init(_ path: ParsedKeyPath) {
        for index in 0..<path.count {
            if path.kind(index) != .anyName, path.isSelection(index) {
                names.append(Array(path.escaped(index).utf8))
                continue
            }
            switch path.kind(index) {
            case .name, .choice, .collectionOperator: names.append(path.name(index).array)
            case .anyName: names.append(nil)
            case .anyDepth: isDeep = true
            }
        }
    }

    /// Whether one of the patterns ends in `**` and another may match the same paths, or some above or below.
    static func overlap(_ shapes: [PatternShape]) -> Bool {
        shapes.indices.contains { deep in
            shapes[deep].isDeep
                && shapes.indices.contains { $0 != deep && shapes[$0].mayMeet(shapes[deep]) }
        }
    }

    /// Whether at least two of the patterns, one of which ends in `**`, may match the path, or some above or below.
    static func overlap(_ shapes: [PatternShape], at path: ParsedKeyPath) -> Bool {
        let shape = PatternShape(path)
        let meeting = shapes.filter { $0.mayMeet(shape) }
        return meeting.count > 1 && meeting.contains(where: \.isDeep)
    }

    private func mayMeet(_ other: PatternShape) -> Bool {
        zip(names, other.names).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
}
