// SPDX-License-Identifier: MIT
// Iterates over validated JSON text: by member, by element, by event.

/// The members of one object, one after another.
/// - Threading: a value type, valid as long as the text.
/// - Cost: each step costs the length of the member.
struct JSONMembers: Sequence, IteratorProtocol {
    private let text: ByteView
    private var position: Int

    @inline(__always) init(of object: JSONView) {
        text = object.view
        position = object.kind == .object ? 1 : object.view.count
    }

    @inline(__always) mutating func next() -> (name: JSONView, value: JSONView)? {
        let start = JSONSteps.skipSeparators(text, from: position)
        guard text.byteOrZero(start) == 0x22 else { return nil }
        let name = JSONSteps.value(in: text, at: start)
        let middle = JSONSteps.skipSeparators(text, from: start &+ name.view.count)
        let value = JSONSteps.value(in: text, at: middle)
        position = middle &+ value.view.count
        return (name, value)
    }

    /// Calls `body` with the name of the next member and the elements of its value, an array. Saves a separate search for the end
    /// of the array. Returns false at the end, or if the value is not an array.
    mutating func enter<E: Error>(
        _ body: (_ name: JSONView, inout JSONElements) throws(E) -> Void
    ) throws(E) -> Bool {
        let start = JSONSteps.skipSeparators(text, from: position)
        guard text.byteOrZero(start) == 0x22 else { return false }
        let name = JSONSteps.value(in: text, at: start)
        let middle = JSONSteps.skipSeparators(text, from: start &+ name.view.count)
        guard text.byteOrZero(middle) == 0x5B else { return false }
        var elements = JSONElements(text, from: middle &+ 1)
        try body(name, &elements)
        position = elements.end
        return true
    }
}

/// The elements of one array, one after another.
/// - Threading: a value type, valid as long as the text.
/// - Cost: each step costs the length of the element.
struct JSONElements: Sequence, IteratorProtocol {
    private let text: ByteView
    /// The offset behind the last element in the array's text.
    private(set) var position: Int

    @inline(__always) init(of array: JSONView) {
        text = array.view
        position = array.kind == .array ? 1 : array.view.count
    }

    @inline(__always) mutating func next() -> JSONView? {
        let start = JSONSteps.skipSeparators(text, from: position)
        let element = JSONSteps.value(in: text, at: start)
        guard !element.view.isEmpty else { return nil }
        position = start &+ element.view.count
        return element
    }

    /// The elements behind an offset, which is the ``position`` of other cursors over the same text.
    init(_ text: ByteView, from position: Int) {
        self.text = text
        self.position = position
    }

    /// As ``JSONMembers/enter(_:)``, with the elements of the next element.
    mutating func enter<E: Error>(_ body: (inout JSONElements) throws(E) -> Void) throws(E) -> Bool {
        let start = JSONSteps.skipSeparators(text, from: position)
        guard text.byteOrZero(start) == 0x5B else { return false }
        var elements = JSONElements(text, from: start &+ 1)
        try body(&elements)
        position = elements.end
        return true
    }

    /// The offset after the array. Skips the remaining elements.
    fileprivate var end: Int {
        mutating get {
            while next() != nil {}
            return Swift.min(JSONSteps.skipSeparators(text, from: position) &+ 1, text.count)
        }
    }
}

/// An event of a walk through all levels of a value.
enum JSONEvent {
    case beginObject
    case beginArray
    /// The end of the innermost object or array.
    case end
    /// The name of a member; its value follows.
    case name(JSONView)
    /// A string, a number, a boolean or null.
    case scalar(JSONView)
}

/// The contents of a value, at all levels, in written order.
/// - Threading: a value type, valid as long as the text.
/// - Cost: one pass at any depth; allocates nothing, and the stack does not grow.
struct JSONWalker: Sequence, IteratorProtocol {
    let text: ByteView
    /// The offset of the next event in the value.
    var position = 0

    @inline(__always) init(_ value: JSONView) { text = value.view }

    /// Begins in an array or object, behind its bracket.
    @inline(__always) init(in container: JSONView) {
        text = container.view
        position = 1
    }

    @inline(__always) mutating func next() -> JSONEvent? {
        position = JSONSteps.skipSeparators(text, from: position)
        switch text.byteOrZero(position) {
        case 0x7B:
            position &+= 1
            return .beginObject
        case 0x5B:
            position &+= 1
            return .beginArray
        case 0x7D, 0x5D:
            position &+= 1
            return .end
        default:
            let value = JSONSteps.value(in: text, at: position)
            guard !value.view.isEmpty else { return nil }
            position &+= value.view.count
            guard value.kind == .string else { return .scalar(value) }
            // Only a name has a colon after it.
            position = JSONSteps.skipWhitespace(text, from: position)
            return text.byteOrZero(position) == 0x3A ? .name(value) : .scalar(value)
        }
    }

    /// The name of the next member, whose value follows; nil at the end of the object, which it leaves.
    @inline(__always) mutating func nextName() -> JSONView? {
        let start = JSONSteps.skipSeparators(text, from: position)
        guard text.byteOrZero(start) == 0x22 else {
            position = Swift.min(start &+ 1, text.count)
            return nil
        }
        let name = JSONSteps.value(in: text, at: start)
        position = start &+ name.view.count
        return name
    }

    /// The next value. The walker enters an array or object, of which this is its bracket. It is empty at the end of the array or
    /// object around it, which the walker leaves.
    @inline(__always) mutating func enterValue() -> JSONView {
        let start = JSONSteps.skipSeparators(text, from: position)
        let byte = text.byteOrZero(start)
        switch byte | 0x20 {
        case 0x7B:
            position = start &+ 1
            return JSONView(view: text.slice(start..<position), kind: byte == 0x7B ? .object : .array)
        case 0x7D:
            position = start &+ 1
            return JSONView(view: text.slice(start..<start), kind: .null)
        default:
            let value = JSONSteps.value(in: text, at: start)
            position = start &+ value.view.count
            return value
        }
    }
}
