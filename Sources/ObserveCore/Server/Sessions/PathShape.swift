// SPDX-License-Identifier: MIT
// Whether patterns of one subscription may match the same paths. Independent of the tree.

struct PathShape {
    /// Nil for a wildcard.
    private var names: [[UInt8]?] = []
    private var isDeep = false

    init(_ path: ParsedKeyPath) {
        for index in 0..<path.count {
            switch path.kind(index) {
            case .anyDepth: isDeep = true
            case .name, .choice, .collectionOperator:
                names.append(
                    path.isSelection(index) ? Array(path.escaped(index).utf8) : path.name(index).array
                )
            case .anyName: names.append(nil)
            }
        }
    }

    /// Whether one of the patterns ends in `**` and another may match the same paths, or some above or below.
    static func overlap(_ shapes: [PathShape]) -> Bool {
        shapes.indices.contains { deep in
            shapes[deep].isDeep && shapes.indices.contains { $0 != deep && shapes[$0].mayMeet(shapes[deep]) }
        }
    }

    /// Whether at least two of the patterns, one of which ends in `**`, may match the path, or some above or below.
    static func overlap(_ shapes: [PathShape], at path: ParsedKeyPath) -> Bool {
        let shape = PathShape(path)
        let meeting = shapes.filter { $0.mayMeet(shape) }
        return meeting.count > 1 && meeting.contains(where: \.isDeep)
    }

    private func mayMeet(_ other: PathShape) -> Bool {
        zip(names, other.names).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
}
