// SPDX-License-Identifier: MIT
// The values of a loaded text, built before the commit that assigns them. Independent of the tree.

/// Values in a validated JSON text, with their staged models: of the whole text, or of places in it without a declared type.
/// - Errors: the first fault takes a value's place. The commit throws it.
final class StagedValue {
    let models: StagedModels
    /// The arrays and objects, with their offsets in the text, which ascend.
    private var values: ContiguousArray<(offset: Int, value: StoredValue)> = []
    /// The first fault, and where the array or object with it begins. None after it is built.
    private var fault: (offset: Int, error: TreeError)?
    private let text: ByteView
    /// The bytes of memory that the values take, besides their models.
    private(set) var bytes = 0

    /// - Parameter text: outlives the value.
    init(of text: ByteView, _ models: StagedModels) {
        self.text = text
        self.models = models
    }

    /// Adds a value behind all others.
    func add(_ value: StoredValue, at offset: Int) {
        assert(values.last.map { $0.offset < offset } ?? true, "a value was built out of order")
        values.append((offset, value))
        bytes &+= MemoryLayout<(offset: Int, value: StoredValue)>.stride &+ value.storageBytes
    }

    func end(with error: TreeError, at offset: Int) { fault = (offset, error) }

    /// The value of `json`; nil if the caller has to build it.
    /// - Cost: O(log n) in the number of values.
    func value(of json: JSONView) throws(TreeError) -> StoredValue? {
        let offset = text.offset(of: json.view)
        if let fault, fault.offset == offset { throw fault.error }
        let index = values.indices.first(reaching: { values[$0].offset >= offset })
        return index < values.count && values[index].offset == offset ? values[index].value : nil
    }
}
