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

    /// Whether one of the patterns that ends in `**` may match the path, or some above or below, and another one may, too, or
    /// an array that holds the path: then the array's event is a new value, which has what changed in the elements.
    static func overlap(_ shapes: [PathShape], at path: ParsedKeyPath) -> Bool {
        let shape = PathShape(path)
        return shapes.indices.contains { deep in
            guard shapes[deep].isDeep, shapes[deep].mayMeet(shape) else { return false }
            let outermost = shape.outermostArray(in: shapes[deep])
            return shapes.indices.contains { $0 != deep && shapes[$0].mayMeet(outermost) }
        }
    }

    /// The first array on the path whose events the pattern reports; the path itself if there is none. Digits are taken as an
    /// index: if they name a property, an array is shown as a whole without need.
    private func outermostArray(in pattern: PathShape) -> PathShape {
        var array = self
        let isElement: ([UInt8]?) -> Bool = { $0?.allSatisfy { (0x30...0x39).contains($0) } == true }
        if let index = names.dropFirst(pattern.names.count).firstIndex(where: isElement) {
            array.names.removeSubrange(index...)
        }
        return array
    }

    private func mayMeet(_ other: PathShape) -> Bool {
        zip(names, other.names).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
    }
}
