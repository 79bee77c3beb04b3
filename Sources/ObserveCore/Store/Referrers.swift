// SPDX-License-Identifier: MIT
// The properties that refer to each model, and how often. Independent of the purpose of a reference.

/// For each model, the properties that refer to it, in the order of their first references.
/// - Cost: O(1) to add, to remove and to find the first. A model without references takes no memory.
struct Referrers: ~Copyable {
    struct Record: ListedRecord {
        var model: ModelID = .noRecord
        var property: PropertyID = .noRecord
        /// How many references the property has to the model: an array may hold it more than once.
        var times: Int32 = 0
        /// Neighbours among the records of the model.
        var next: ID<Record> = .noRecord
        var previous: ID<Record> = .noRecord
    }

    private(set) var records = Arena(blank: Record())
    /// (model, property) → record.
    private var index = HashIndex<Record>()
    /// Model → its first record.
    private var firsts = HashIndex<Record>()
    private let seed: UInt64
    /// About how many bytes the references take. A repeated one counts again: how many records there are depends on the order
    /// in which references come and go.
    private(set) var usedBytes = 0

    init(seed: UInt64) { self.seed = seed }

    var isEmpty: Bool { firsts.count == 0 }

    private static var referenceBytes: Int { MemoryLayout<Record>.stride &+ HashIndex<Record>.entryBytes }

    /// - Parameter isCounted: whether it takes memory of the tree.
    mutating func add(_ property: PropertyID, to model: ModelID, isCounted: Bool = true) {
        if isCounted { usedBytes &+= Referrers.referenceBytes }
        if let known = find(property, model) {
            records[known].times += 1
            return
        }
        let new = records.allocate()
        records[new] = Record(model: model, property: property, times: 1)
        index.insert(pairHash(model, property, seed: seed), new)
        let first = records.append(new, to: first(of: model) ?? .noRecord)
        if first == new { firsts.insert(hash(model), new) }
    }

    /// Removes one reference; false if there was none.
    @discardableResult
    mutating func remove(_ property: PropertyID, from model: ModelID, isCounted: Bool = true) -> Bool {
        guard let found = find(property, model) else { return false }
        if isCounted { usedBytes &-= Referrers.referenceBytes }
        if records[found].times > 1 { records[found].times -= 1 } else { drop(found) }
        return true
    }

    func times(_ property: PropertyID, _ model: ModelID) -> Int {
        find(property, model).map { Int(records[$0].times) } ?? 0
    }

    mutating func removeFirst(of model: ModelID) -> PropertyID? {
        guard let first = first(of: model) else { return nil }
        let property = records[first].property
        remove(property, from: model)
        return property
    }

    func forEach(of model: ModelID, _ body: (PropertyID) -> Void) {
        var next = isEmpty ? ID<Record>.noRecord : first(of: model) ?? .noRecord
        while next != .noRecord {
            body(records[next].property)
            next = records[next].next
        }
    }

    /// The properties in the order of their first references, each once.
    func all(of model: ModelID) -> [PropertyID] {
        var found: [PropertyID] = []
        forEach(of: model) { found.append($0) }
        return found
    }

    func sorted(of model: ModelID) -> [PropertyID] { all(of: model).sorted() }

    func contains(_ model: ModelID) -> Bool { !isEmpty && first(of: model) != nil }

    private func find(_ property: PropertyID, _ model: ModelID) -> ID<Record>? {
        index.find(pairHash(model, property, seed: seed)) {
            records[$0].model == model && records[$0].property == property
        }
    }

    private func first(of model: ModelID) -> ID<Record>? {
        firsts.find(hash(model)) { records[$0].model == model }
    }

    private func hash(_ model: ModelID) -> UInt64 { pairHash(model, -1, seed: seed) }

    private mutating func drop(_ number: ID<Record>) {
        let record = records[number]
        index.remove(pairHash(record.model, record.property, seed: seed), number)
        // The first one's previous is the last one.
        let isFirst = records[record.previous].next == .noRecord
        let first = isFirst ? number : first(of: record.model) ?? number
        let left = records.remove(number, from: first)
        if isFirst {
            firsts.remove(hash(record.model), number)
            if left != .noRecord { firsts.insert(hash(record.model), left) }
        }
        records.free(number)
    }
}
