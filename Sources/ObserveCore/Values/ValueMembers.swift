// SPDX-License-Identifier: MIT
// The ordered members of an object value. Independent of JSON text.

/// Names and their values, in the order in which the names first occurred. A repeated name replaces the value.
/// - Threading: a value type.
/// - Cost: a lookup and an assignment take O(1), whatever names a peer chooses. The type compares up to 16 names
///   one by one. It keeps more in a table with a random seed for each process.
public struct ValueMembers: Sendable {
    /// A name and its value.
    public typealias Element = (name: String, value: Value)

    private var elements: [Element] = []
    /// The index of each name in `elements`; empty while there are few.
    private var table: [MemberName: Int] = [:]

    private static let fewest = 16

    /// No members.
    public init() {}

    /// Creates members. If a name occurs more than once, the last value wins.
    public init(_ members: some Sequence<(String, Value)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The value of that name. Setting nil removes the member, in O(members).
    public subscript(name: String) -> Value? {
        get { position(of: name).map { elements[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): elements[position].value = value
            case (nil, let value?): append(name, value)
            case (let position?, nil): remove(at: position)
            case (nil, nil): break
            }
        }
    }

    private func position(of name: String) -> Int? {
        guard table.isEmpty else { return table[MemberName(name)] }
        return elements.firstIndex { MemberName($0.name) == MemberName(name) }
    }

    private mutating func append(_ name: String, _ value: Value) {
        elements.append((name, value))
        if elements.count > Self.fewest, table.isEmpty {
            makeTable()
        } else if !table.isEmpty {
            table[MemberName(name)] = elements.count - 1
        }
    }

    private mutating func remove(at position: Int) {
        elements.remove(at: position)
        table = [:]
        if elements.count > Self.fewest { makeTable() }
    }

    private mutating func makeTable() {
        for (index, element) in elements.enumerated() { table[MemberName(element.name)] = index }
    }
}

extension ValueMembers: RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of members.
    public var endIndex: Int { elements.count }
    /// The member at that index.
    public subscript(position: Int) -> Element { elements[position] }
}

/// A name that compares by its bytes. `String` would treat canonically equivalent names as equal.
package struct MemberName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { ByteView.with(text) { $0.hash(into: &hasher) } }
}
