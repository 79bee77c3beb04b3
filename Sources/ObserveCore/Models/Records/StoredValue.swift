// SPDX-License-Identifier: MIT
// What a property holds. Knows nothing of paths, observers, or who reads it.

/// The number of a model in its tree. Numbers are used again; ``ModelRecord/instance`` is not.
typealias ModelID = ID<ModelRecord>

/// What stands in a property or an array element: nine bytes.
enum StoredValue {
    /// There is no such property; reads as null.
    case absent
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(StoredString)
    case array(StoredArray)
    case model(ModelID)
    /// Text in the tree's ``ModelTree/texts``. It belongs to the property that holds it, or to the history; everybody
    /// else is lent it until that is assigned, or forgotten, and takes ``kept`` to have it longer.
    case text(PooledText)

    /// Absent and null read the same.
    @inline(__always) var isNull: Bool {
        switch self {
        case .absent, .null: true
        default: false
        }
    }

    @inline(__always) var isAbsent: Bool {
        if case .absent = self { return true }
        return false
    }

    @inline(__always) var modelID: ModelID? {
        if case .model(let id) = self { return id }
        return nil
    }

    /// Whether a path can lead on through it.
    @inline(__always) var isContainer: Bool {
        switch self {
        case .model, .array: true
        default: false
        }
    }

    /// Hands out what stands between the quotes of a text; does nothing for other values.
    @inline(__always)
    func withText(_ body: (ByteView) -> Void) {
        switch self {
        case .text(let text): body(text.view)
        case .string(let text): text.withContents(body)
        default: break
        }
    }

    /// The same value, for whoever keeps it: text that is lent is copied.
    var kept: StoredValue {
        if case .text(let text) = self { .string(.make(text.view)) } else { self }
    }

    /// The same as ``equals(_:)``, without counting a reference where both stand in their records and are texts of the pool.
    @inline(__always)
    borrowing func equalsInPlace(_ other: borrowing StoredValue) -> Bool {
        guard let own = pooledText, let others = other.pooledText else {
            return (copy self).equals(copy other)
        }
        return own.view == others.view
    }

    @inline(__always)
    private var pooledText: PooledText? {
        if case .text(let text) = self { text } else { nil }
    }

    /// Equality as the contract has it (§3): numbers by value, strings by their scalars, arrays element by element,
    /// models by identity. Recursion is as deep as arrays nest, which the tree bounds.
    func equals(_ other: StoredValue) -> Bool {
        switch (self, other) {
        case (.absent, .absent), (.null, .null), (.absent, .null), (.null, .absent): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Numbers.equal(a, b)
        case (.text(let a), .text(let b)): a.view == b.view
        case (.string(let a), .string(let b)): a === b || a.equals(b)
        case (.string(let a), .text(let b)), (.text(let b), .string(let a)): a.equals(b.view)
        case (.array(let a), .array(let b)): a === b || a.equals(b)
        case (.model(let a), .model(let b)): a == b
        default: false
        }
    }
}

/// Text as it stands between the quotes of canonical JSON, so that writing it is one copy and equal text is equal bytes.
/// One allocation: the lengths, then the bytes.
final class StoredString: ManagedBuffer<StoredString.Header, UInt8> {
    struct Header {
        var count: UInt32
        /// How many bytes there is room for.
        let capacity: UInt32
    }

    static func make(_ canonicalContents: ByteView) -> StoredString {
        let count = canonicalContents.count
        // Blocks of memory come in steps of sixteen bytes; the object takes 24 of the first.
        let capacity = (count &+ 15) & ~15
        let fresh = StoredString.create(minimumCapacity: capacity) { _ in
            Header(count: UInt32(count), capacity: UInt32(capacity))
        }
        unsafe fresh.withUnsafeMutablePointerToElements { bytes in
            unsafe bytes.update(from: canonicalContents.base, count: count)
        }
        return unsafe unsafeDowncast(fresh, to: StoredString.self)
    }

    /// Becomes other text. Only for whoever has the only reference.
    ///
    /// - Returns: false, with nothing done, where it has too little room for that, or so much that it would be wasted.
    @inline(__always)
    func take(_ canonicalContents: ByteView) -> Bool {
        unsafe withUnsafeMutablePointers { header, bytes in
            let count = canonicalContents.count
            let capacity = unsafe Int(header.pointee.capacity)
            guard count <= capacity, capacity <= 2 &* count &+ 64 else { return false }
            unsafe header.pointee.count = UInt32(truncatingIfNeeded: count)
            unsafe bytes.update(from: canonicalContents.base, count: count)
            return true
        }
    }

    /// Only for the methods below: the caller of a method keeps `self` alive, a view that left it would not.
    @inline(__always)
    private var contents: ByteView {
        unsafe withUnsafeMutablePointers {
            unsafe ByteView(base: UnsafePointer($1), count: Int($0.pointee.count))
        }
    }

    /// How many bytes it is.
    @inline(__always)
    var count: Int { unsafe withUnsafeMutablePointerToHeader { unsafe Int($0.pointee.count) } }

    /// How many bytes it has room for.
    @inline(__always)
    var room: Int { unsafe withUnsafeMutablePointerToHeader { unsafe Int($0.pointee.capacity) } }

    @inline(__always) func equals(_ other: StoredString) -> Bool { contents == other.contents }
    @inline(__always) func equals(_ canonicalContents: ByteView) -> Bool { contents == canonicalContents }

    /// Hands the bytes out for the time of `body`.
    @inline(__always)
    func withContents(_ body: (ByteView) -> Void) { body(contents) }

    /// Appends it without quotes.
    func append(to out: ByteBuffer) { out.append(contents) }

    /// Appends the first `length` bytes, without quotes.
    @inline(__always)
    func append(first length: Int, to out: ByteBuffer) { out.append(contents.prefix(length)) }

    /// Appends it as JSON, quotes included.
    @inline(__always)
    func write(to out: ByteBuffer) {
        out.append(0x22)
        out.append(contents)
        out.append(0x22)
    }

    func hash(seed: UInt64) -> UInt64 { contents.hash(seed: seed) }
}

/// An array's elements. Shared between the tree and whoever keeps an older value: copied before it is changed.
final class StoredArray {
    @safe @exclusivity(unchecked) var elements: ContiguousArray<StoredValue>

    init(_ elements: ContiguousArray<StoredValue>) {
        self.elements = elements
    }

    func equals(_ other: StoredArray) -> Bool {
        guard elements.count == other.elements.count else { return false }
        for index in elements.indices where !elements[index].equals(other.elements[index]) { return false }
        return true
    }

    /// The element at `index`, absent past the end.
    @inline(__always)
    func element(_ index: Int) -> StoredValue {
        index >= 0 && index < elements.count ? elements[index] : .absent
    }
}
