// SPDX-License-Identifier: MIT
// A property's stack of values, as a tree whose copies share what they have in common. Independent of the model tree.

/// A property's permanent value and its temporary values, the oldest first.
///
/// A balanced binary tree by the values' numbers, which increase. Its nodes never change, so the state before a commit is
/// a copy of one reference.
///
/// - Cost: O(log n) for every operation on one value, O(1) to copy.
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

    init(_ values: some Sequence<StackedValue>) {
        for value in values { append(value) }
    }

    /// The bytes of memory that a value takes without its text or elements: a node, and entries in the tables of owners
    /// and of timed values.
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

    /// The value with that number.
    subscript(number: UInt64) -> StackedValue? {
        var node = root
        while let next = node, next.value.number != number {
            node = number < next.value.number ? next.left : next.right
        }
        return node?.value
    }

    /// Adds a value with the highest number.
    mutating func append(_ value: StackedValue) {
        func appending(to node: Node?) -> Node {
            guard let node else { return Node(value, nil, nil) }
            return ValueStack.balanced(node.value, node.left, appending(to: node.right))
        }
        root = appending(to: root)
    }

    /// Replaces the value with the same number.
    mutating func update(_ value: StackedValue) {
        func updating(_ node: Node?) -> Node? {
            guard let node else { return nil }
            if value.number == node.value.number { return Node(value, node.left, node.right) }
            return value.number < node.value.number
                ? Node(node.value, updating(node.left), node.right)
                : Node(node.value, node.left, updating(node.right))
        }
        root = updating(root)
    }

    mutating func remove(_ number: UInt64) {
        func removing(from node: Node?) -> Node? {
            guard let node else { return nil }
            if number == node.value.number { return ValueStack.joined(node.left, node.right) }
            return number < node.value.number
                ? ValueStack.balanced(node.value, removing(from: node.left), node.right)
                : ValueStack.balanced(node.value, node.left, removing(from: node.right))
        }
        root = removing(from: root)
    }

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

    // MARK: Balance

    /// A tree of both and of the value between them. One of them may have changed by one value.
    ///
    /// A side has at most three times as many values as the other. Adams, "Efficient sets: a balancing act", 1993.
    private static func balanced(_ value: StackedValue, _ left: Node?, _ right: Node?) -> Node {
        let (leftCount, rightCount) = (left?.count ?? 0, right?.count ?? 0)
        if leftCount + rightCount > 1 {
            if let right, rightCount > 3 * leftCount { return rotatedLeft(value, left, right) }
            if let left, leftCount > 3 * rightCount { return rotatedRight(value, left, right) }
        }
        return Node(value, left, right)
    }

    private static func rotatedLeft(_ value: StackedValue, _ left: Node?, _ right: Node) -> Node {
        if let inner = right.left, inner.count >= 2 * (right.right?.count ?? 0) {
            return Node(
                inner.value,
                Node(value, left, inner.left),
                Node(right.value, inner.right, right.right)
            )
        }
        return Node(right.value, Node(value, left, right.left), right.right)
    }

    private static func rotatedRight(_ value: StackedValue, _ left: Node, _ right: Node?) -> Node {
        if let inner = left.right, inner.count >= 2 * (left.left?.count ?? 0) {
            return Node(
                inner.value,
                Node(left.value, left.left, inner.left),
                Node(value, inner.right, right)
            )
        }
        return Node(left.value, left.left, Node(value, left.right, right))
    }

    private static func joined(_ left: Node?, _ right: Node?) -> Node? {
        guard let right else { return left }
        guard let left else { return right }
        let (first, rest) = removingFirst(right)
        return balanced(first, left, rest)
    }

    private static func removingFirst(_ node: Node) -> (StackedValue, Node?) {
        guard let left = node.left else { return (node.value, node.right) }
        let (first, rest) = removingFirst(left)
        return (first, balanced(node.value, rest, node.right))
    }
}
