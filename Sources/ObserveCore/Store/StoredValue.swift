// SPDX-License-Identifier: MIT
// The value of a property. Independent of paths, observers and dependents.

/// The number of a model in its tree. The tree reuses numbers, but never a ``ModelRecord/instance``.
typealias ModelID = ID<ModelRecord>

/// The value of a property or an array element: nine bytes.
enum StoredValue {
    /// The property does not exist; reads as null.
    case absent
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(StoredString)
    case array(StoredArray)
    case model(ModelID)
    /// Text in ``Records/texts``. It belongs to its property, its touch or the history. Other code borrows it until its owner
    /// changes or drops it; ``kept`` makes a copy to keep.
    case text(PooledText)

    @inline(__always) var isNull: Bool {
        switch self {
        case .absent, .null: true
        default: false
        }
    }

    /// Whether the value is a number, a boolean or null: it holds no memory and refers to nothing.
    @inline(__always) var isPlain: Bool {
        switch self {
        case .absent, .null, .bool, .int, .double: true
        case .string, .text, .array, .model: false
        }
    }

    @inline(__always) var isAbsent: Bool { if case .absent = self { true } else { false } }

    @inline(__always) var modelID: ModelID? { if case .model(let id) = self { id } else { nil } }

    /// Whether a path can continue through the value.
    @inline(__always) var isContainer: Bool {
        switch self {
        case .model, .array: true
        default: false
        }
    }

    /// Calls `body` with the model that the value is, or with those in the array. Recursion is as deep as arrays nest.
    func forEachModel<E: Error>(_ body: (ModelID) throws(E) -> Void) throws(E) {
        switch self {
        case .model(let model): try body(model)
        case .array(let array) where !array.isPlain:
            for element in array.elements where element.isContainer { try element.forEachModel(body) }
        default: break
        }
    }

    /// The model that the value is, or those in the array.
    var models: [ModelID] {
        var models: [ModelID] = []
        forEachModel { models.append($0) }
        return models
    }

    /// Whether arrays in the value nest in more levels than that.
    func nests(deeperThan levels: Int) -> Bool {
        guard case .array(let array) = self else { return false }
        return levels < 1 || !array.isPlain && array.elements.contains { $0.nests(deeperThan: levels - 1) }
    }

    /// Calls `body` with the text between the quotes; does nothing for other values.
    @inline(__always) func withText(_ body: (ByteView) -> Void) {
        switch self {
        case .text(let text): body(text.view)
        case .string(let text): text.withContents(body)
        default: break
        }
    }

    /// The value with borrowed text copied.
    var kept: StoredValue {
        @inline(__always) borrowing get {
            if let pooledText { return .string(.make(pooledText.view)) }
            return copy self
        }
    }

    /// Does the same as ``equals(_:)``, but counts no references if both values are texts of the pool.
    @inline(__always) borrowing func equalsInPlace(_ other: borrowing StoredValue) -> Bool {
        guard let own = pooledText, let others = other.pooledText
        else { return (copy self).equals(copy other) }
        return own.view == others.view
    }

    @inline(__always)
    private var pooledText: PooledText? { if case .text(let text) = self { text } else { nil } }

    /// Whether the values are equal by the rules of "Values" in docs/protocol.md. Recursion is as deep as arrays nest.
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

    /// Whether an equal value has the same text, too: `1` and `1.0` do not. Recursion is as deep as arrays nest.
    func hasForm(of equal: StoredValue) -> Bool {
        switch (self, equal) {
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.int, .double), (.double, .int): false
        case (.array(let a), .array(let b)): a === b || a.hasForm(of: b)
        default: true
        }
    }
}

/// Text as between the quotes of canonical JSON: writing it is one copy, and equal texts have equal bytes. One allocation has
/// the lengths, then the bytes.
final class StoredString: ManagedBuffer<StoredString.Header, UInt8> {
    struct Header {
        var count: UInt32
        /// The most bytes that fit.
        let capacity: UInt32
    }

    static func make(_ canonicalContents: ByteView) -> StoredString {
        let count = canonicalContents.count
        // Memory comes in blocks of sixteen bytes; the object takes 24 bytes of the first two.
        let capacity = (count &+ 15) & ~15
        let fresh = StoredString.create(minimumCapacity: capacity) { _ in
            Header(count: UInt32(count), capacity: UInt32(capacity))
        }
        unsafe fresh.withUnsafeMutablePointerToElements { bytes in
            unsafe bytes.update(from: canonicalContents.base, count: count)
        }
        return unsafe unsafeDowncast(fresh, to: StoredString.self)
    }

    /// Replaces the text in place, for the owner of the only reference; false if it does not fit, or wastes most of the space.
    @inline(__always) func take(_ canonicalContents: ByteView) -> Bool {
        unsafe withUnsafeMutablePointers { header, bytes in
            let count = canonicalContents.count
            let capacity = unsafe Int(header.pointee.capacity)
            guard count <= capacity, capacity <= 2 &* count &+ 64 else { return false }
            unsafe header.pointee.count = UInt32(truncatingIfNeeded: count)
            unsafe bytes.update(from: canonicalContents.base, count: count)
            return true
        }
    }

    /// Only for the methods below: a view does not keep the text alive, but a method's caller does.
    @inline(__always) private var contents: ByteView {
        unsafe withUnsafeMutablePointers {
            unsafe ByteView(base: UnsafePointer($1), count: Int($0.pointee.count))
        }
    }

    @inline(__always)
    var count: Int { unsafe withUnsafeMutablePointerToHeader { unsafe Int($0.pointee.count) } }

    /// The most bytes that fit.
    @inline(__always)
    var room: Int { unsafe withUnsafeMutablePointerToHeader { unsafe Int($0.pointee.capacity) } }

    @inline(__always) func equals(_ other: StoredString) -> Bool { contents == other.contents }
    @inline(__always) func equals(_ canonicalContents: ByteView) -> Bool { contents == canonicalContents }

    @inline(__always) func withContents(_ body: (ByteView) -> Void) { body(contents) }

    /// Appends the text without quotes.
    func append(to out: ByteBuffer) { out.append(contents) }

    func hash(seed: UInt64) -> UInt64 { contents.hash(seed: seed) }
}

/// An array's elements. Owners of an older value may share them, so the tree copies shared ones before a change.
final class StoredArray {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private(set) var elements: ElementList<StoredValue>
    /// Whether all elements are numbers, booleans and null. Once false it stays false.
    private(set) var isPlain: Bool
    /// Whether it stands for a value that takes too many looks, and for each value below that one.
    let isExcess: Bool
    /// The bytes of memory that the elements take beyond their own places: see ``StoredValue/storageBytes``.
    private var contentBytes: Int

    init(_ elements: ContiguousArray<StoredValue>) {
        self.elements = ElementList<StoredValue>(elements.withoutSlack)
        isPlain = elements.allSatisfy(\.isPlain)
        contentBytes = isPlain ? 0 : elements.reduce(0) { $0 + $1.storageBytes }
        isExcess = false
    }

    private init(excess element: StoredValue) {
        elements = ElementList<StoredValue>([element])
        (isPlain, contentBytes, isExcess) = (false, element.storageBytes, true)
    }

    /// No limit permits rendering it, and it equals no other value, since its text is not a JSON string's.
    static func makeExcess() -> StoredArray { StoredArray(excess: .string(.make(ByteView("\"")))) }

    /// A copy to change.
    init(copying other: StoredArray) {
        elements = other.elements
        isPlain = other.isPlain
        contentBytes = other.contentBytes
        isExcess = false
    }

    /// About how many bytes of memory the array takes, with its elements, in constant time.
    var byteCount: Int {
        // An object is 48 bytes with what `malloc` adds, and so is the head of the elements.
        (elements.isEmpty ? 48 : 96 &+ elements.count &* MemoryLayout<StoredValue>.stride) &+ contentBytes
    }

    /// About how many plain elements take as much memory as its elements with their text and their own elements.
    var plainCount: Int { elements.count &+ contentBytes / MemoryLayout<StoredValue>.stride }

    /// Appends to an array that may become large. ``trim()`` follows the last elements.
    func append(_ new: ContiguousArray<StoredValue>) {
        elements.append(new)
        if isPlain, new.allSatisfy(\.isPlain) { return }
        isPlain = false
        contentBytes &+= new.reduce(0) { $0 + $1.storageBytes }
    }

    func trim() { elements.trim() }

    func insert(_ element: StoredValue, at index: Int) {
        elements.insert(element, at: index)
        countNew(element)
    }

    private func countNew(_ element: StoredValue) {
        if element.isPlain { return }
        isPlain = false
        contentBytes &+= element.storageBytes
    }

    func remove(at index: Int) -> StoredValue {
        let removed = elements.remove(at: index)
        contentBytes &-= removed.storageBytes
        return removed
    }

    func removeLast(atMost count: Int) {
        let removed = min(count, elements.count)
        if !isPlain { contentBytes &-= elements.suffix(removed).reduce(0) { $0 + $1.storageBytes } }
        elements.removeLast(removed)
    }

    func replace(at index: Int, with element: StoredValue) {
        if !isPlain { contentBytes &-= elements[index].storageBytes }
        elements[index] = element
        countNew(element)
    }

    /// Lends an element that is an array to `body`, to change it in place.
    func withArray<Result>(at index: Int, _ body: (inout StoredValue) -> Result) -> Result {
        contentBytes &-= elements[index].storageBytes
        defer { contentBytes &+= elements[index].storageBytes }
        return body(&elements[index])
    }

    func equals(_ other: StoredArray) -> Bool {
        elements.count == other.elements.count
            && elements.indices.allSatisfy { elements[$0].equals(other.elements[$0]) }
    }

    func hasForm(of equal: StoredArray) -> Bool {
        elements.indices.allSatisfy { elements[$0].hasForm(of: equal.elements[$0]) }
    }

    /// The element at `index`, absent past the end.
    @inline(__always) func element(_ index: Int) -> StoredValue {
        if isExcess { .array(self) } else { index >= 0 && index < elements.count ? elements[index] : .absent }
    }
}
