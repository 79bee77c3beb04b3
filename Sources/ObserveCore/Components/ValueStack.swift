// SPDX-License-Identifier: MIT
// A property's stack of values, as a tree whose copies share what they have in common. Independent of the model tree.

/// A property's permanent value and its temporary values, the oldest first.
///
/// A binary tree by the values' numbers, which increase. No number below a node has a greater hash than the node's own. So
/// the tree is as balanced as one in random order: Seidel and Aragon, "Randomized search trees", 1996. Its nodes never change,
/// so the state before a commit is a copy of one reference.
///
/// - Cost: O(log n) expected for every operation on one value, O(1) to copy.
struct ValueStack: Sequence {
    fileprivate final class Node {
        let value: StackedValue
        let left: Node?
        let right: Node?
        let count: Int
        /// Whether a value here or below expires at a time.
        let hasTimed: Bool
        /// The bytes of memory of the values here and below.
        let byteCount: Int

        init(_ value: StackedValue, _ left: Node?, _ right: Node?) {
            self.value = value
            self.left = left
            self.right = right
            count = 1 + (left?.count ?? 0) + (right?.count ?? 0)
            hasTimed = value.isTimed || left?.hasTimed == true || right?.hasTimed == true
            byteCount =
                ValueStack.valueBytes + value.value.storageBytes + (left?.byteCount ?? 0)
                + (right?.byteCount ?? 0)
        }
    }

    private var root: Node?

    init() {}

    init(_ values: some Sequence<StackedValue>) { for value in values { append(value) } }

    /// The bytes that a value takes without its text or elements: a node, and entries in the tables of owners and times.
    static var valueBytes: Int { MemoryLayout<StackedValue>.stride + 112 }

    /// About how many bytes of memory the stack takes, with the values in it.
    var byteCount: Int { root?.byteCount ?? 0 }

    /// How many values there are, with the permanent one.
    var count: Int { root?.count ?? 0 }

    /// The permanent value.
    var first: StackedValue? {
        var node = root
        while let left = node?.left { node = left }
        return node?.value
    }

    /// The value that shows.
    var last: StackedValue? {
        var node = root
        while let right = node?.right { node = right }
        return node?.value
    }

    /// The newest value that expires at a time.
    var lastTimed: StackedValue? {
        var node = root
        while let next = node, next.hasTimed {
            if next.right?.hasTimed == true {
                node = next.right
            } else if next.value.isTimed {
                return next.value
            } else {
                node = next.left
            }
        }
        return nil
    }

    subscript(number: UInt64) -> StackedValue? {
        var node = root
        while let next = node, next.value.number != number {
            node = number < next.value.number ? next.left : next.right
        }
        return node?.value
    }

    /// Adds a value with the highest number.
    mutating func append(_ value: StackedValue) { root = ValueStack.joined(root, Node(value, nil, nil)) }

    mutating func update(_ value: StackedValue) {
        root = ValueStack.replacing(value.number, in: root, by: value)
    }

    mutating func remove(_ number: UInt64) { root = ValueStack.replacing(number, in: root, by: nil) }

    func makeIterator() -> Iterator { Iterator(root) }

    struct Iterator: IteratorProtocol {
        private var ahead: [Node] = []

        fileprivate init(_ root: Node?) { descend(root) }

        mutating func next() -> StackedValue? {
            guard let node = ahead.popLast() else { return nil }
            descend(node.right)
            return node.value
        }

        private mutating func descend(_ start: Node?) {
            var node = start
            while let next = node {
                ahead.append(next)
                node = next.left
            }
        }
    }

    // MARK: Nodes

    private static func replacing(_ number: UInt64, in node: Node?, by new: StackedValue?) -> Node? {
        guard let node else { return nil }
        if number == node.value.number {
            return new.map { Node($0, node.left, node.right) } ?? joined(node.left, node.right)
        }
        return number < node.value.number
            ? Node(node.value, replacing(number, in: node.left, by: new), node.right)
            : Node(node.value, node.left, replacing(number, in: node.right, by: new))
    }

    /// A tree of both, where all numbers of the first one are lower.
    private static func joined(_ left: Node?, _ right: Node?) -> Node? {
        guard let right else { return left }
        guard let left else { return right }
        return left.value.number.hashValue > right.value.number.hashValue
            ? Node(left.value, left.left, joined(left.right, right))
            : Node(right.value, joined(left, right.left), right.right)
    }
}
