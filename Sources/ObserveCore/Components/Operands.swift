// SPDX-License-Identifier: MIT
// The operands of the operators over one container, one for each element. Independent of the tree.

/// A change of one operand in the open commit.
enum OperandChange: Equatable {
    /// An element was inserted into the array, or removed from it.
    case shift(ArrayEdit)
    /// Entry of ``PendingCommit/orderChanges``: the container, a model, got a property or lost one.
    case order(Int)
    /// The element of the array at that index changed.
    case element(Int)
    /// The property of the container, a model, changed.
    case member(PropertyID)
}

/// What the operators over one container take from its elements: the values at one key path. All operators with that
/// container and key path share these.
///
/// - Bounds: memory in proportion to the elements, from the subscription on, or from the first change if the elements are few.
/// - Cost: O(log n) for a change of one operand, O(1) or O(log n) for a value. In an array, an insertion moves the
///   later operands, as it moves the array's elements.
final class Operands {
    struct Operand {
        /// Increases from operand to operand.
        var place: UInt64
        /// Null for a value that no function took when it joined, and if the operand is not counted.
        var value: StoredValue
        /// False for a weak property, and for one that was removed.
        var isCounted = true
    }

    private static let distance: UInt64 = 1 << 32

    /// A subscription to operators over so many elements builds the operands. Fewer ones wait for a change, since many
    /// containers with few elements may match a pattern.
    static var many: Int { threshold(1024, debug: 4) }

    private(set) var functions: [CollectionOperator] = []
    /// Whether the operands are those of the container before the open commit. If not, they are out of date.
    private(set) var isBuilt = false
    /// The changes in the open commit, unless ``isReplaced``.
    private(set) var changes: [OperandChange] = []
    /// Whether the container is another one, or too much of it changed.
    private(set) var isReplaced = false

    private let seed: UInt64
    private var operands: ContiguousArray<Operand> = []
    /// The places of a model's properties.
    private var places: [PropertyID: UInt64] = [:]
    /// Whether the operands have all values, as `@distinctUnionOfObjects` needs them.
    private var isComplete = true
    private var tally = Tally()
    private var minimum = Extreme.least
    private var maximum = Extreme.greatest
    /// Nil until `@distinctUnionOfObjects` is read.
    private var distinct: DistinctValues?

    init(seed: UInt64) { self.seed = seed }

    // MARK: Operators

    func add(_ function: CollectionOperator) {
        functions.append(function)
        if function == .distinctUnionOfObjects, !isComplete { drop() }
    }

    func remove(_ function: CollectionOperator) {
        functions.removeAll { $0 == function }
        switch function {
        case .min: minimum = .least
        case .max: maximum = .greatest
        case .distinctUnionOfObjects: distinct = nil
        default: break
        }
    }

    /// Whether ``distinct`` is in use: most operators don't need it.
    private var distinguishes: Bool { functions.contains(.distinctUnionOfObjects) }

    /// The function's value. Its first read makes what the function alone needs, so that functions can join the others.
    func value(of function: CollectionOperator) -> StoredValue {
        switch function {
        case .count, .sum, .avg: return tally.value(of: function)
        case .min: return minimum.first(among: operands, now: value(at:))
        case .max: return maximum.first(among: operands, now: value(at:))
        case .distinctUnionOfObjects:
            if distinct == nil { distinct = DistinctValues(of: &operands) { $0.hash(seed: seed) } }
            guard let union = distinct?.union() else { return .null }
            return .array(union)
        case .unionOfObjects: return .null
        }
    }

    // MARK: One notification

    /// Notes a change; nil for one that needs all operands again.
    func note(_ change: OperandChange?) {
        guard let change else { return isReplaced = true }
        // Several operators note the same change, one after another.
        if change != changes.last { changes.append(change) }
    }

    /// Takes the changes, which the caller applies.
    func takeChanges() -> [OperandChange] { exchange(&changes, with: []) }

    /// Ends the notification. Drops the operands if the changes were not applied.
    func endNotification() {
        if isReplaced || !changes.isEmpty { drop() }
        if !changes.isEmpty { changes = [] }
        isReplaced = false
    }

    // MARK: Operands

    /// What an element of the container gives.
    struct Source {
        let value: StoredValue
        /// The property of a model; none for an element of an array.
        var property = PropertyID.noRecord
        var isCounted = true
    }

    /// Builds the operands.
    /// - Parameter count: of those that follow, for memory of that size.
    func build(count: Int, from next: () -> Source?) {
        drop()
        // The runtime checks each access to a variable of an object, but none to these.
        var (operands, places, tally, isComplete) = (operands, places, tally, isComplete)
        let takesAll = distinguishes
        operands.reserveCapacity(count)
        var place = firstPlace(of: count)
        while let source = next() {
            if source.property != .noRecord {
                if places.isEmpty { places.reserveCapacity(count) }
                places[source.property] = place
            }
            var operand = Operand(place: place, value: .null, isCounted: source.isCounted)
            if source.isCounted {
                tally.elements += 1
                tally.add(source.value)
                if takesAll || source.value.isNumber {
                    operand.value = source.value
                } else if !source.value.isNull {
                    isComplete = false
                }
            }
            operands.append(operand)
            place += Operands.distance
        }
        (self.operands, self.places, self.tally, self.isComplete) = (operands, places, tally, isComplete)
        isBuilt = true
    }

    /// The values that are compared with each other.
    var comparedValues: some Sequence<StoredValue> { (distinguishes ? operands : []).lazy.map(\.value) }

    func drop() {
        guard isBuilt else { return }
        isBuilt = false
        operands = []
        places = [:]
        isComplete = true
        tally = Tally()
        forgetPlaces()
    }

    /// Drops what has places of operands. The next reads make it again.
    private func forgetPlaces() {
        (minimum, maximum) = (.least, .greatest)
        distinct = nil
    }

    var count: Int { operands.count }

    func insert(_ value: StoredValue, at index: Int) {
        operands.insert(Operand(place: makePlace(at: index), value: .null, isCounted: false), at: index)
        replace(at: index, value)
    }

    func remove(at index: Int) {
        let removed = operands.remove(at: index)
        leave(removed)
    }

    func replace(at index: Int, _ new: StoredValue, isCounted: Bool = true) {
        let old = operands[index]
        if isCounted, old.isCounted, old.value.isSame(as: new) { return }
        let isTaken = new.isNumber || distinguishes
        if !isTaken, !new.isNull { isComplete = false }
        let operand = Operand(
            place: old.place,
            value: isCounted && isTaken ? new : .null,
            isCounted: isCounted
        )
        operands[index] = operand
        leave(old)
        enter(operand, at: index)
    }

    /// Adds an operand to what the functions need.
    private func enter(_ operand: Operand, at index: Int) {
        guard operand.isCounted else { return }
        tally.elements += 1
        guard !operand.value.isNull else { return }
        tally.add(operand.value)
        if functions.contains(.min) || functions.contains(.max) {
            minimum.add(operand.value, at: operand.place, among: operands.count)
            maximum.add(operand.value, at: operand.place, among: operands.count)
        }
        guard distinguishes, distinct != nil else { return }
        let hash = operand.value.hash(seed: seed)
        if let shared = distinct?.add(operand.value, hash: hash, at: operand.place, where: has) {
            operands[index].value = shared
        }
    }

    /// Removes a former operand from what the functions need.
    private func leave(_ operand: Operand) {
        guard operand.isCounted else { return }
        tally.elements -= 1
        guard !operand.value.isNull else { return }
        tally.add(operand.value, isRemoved: true)
        guard distinguishes, distinct != nil else { return }
        distinct?.remove(operand.value, hash: operand.value.hash(seed: seed), at: operand.place, where: has)
    }

    // MARK: Operands of a model

    func append(_ source: Source) {
        let place = makePlace(at: operands.count)
        operands.append(Operand(place: place, value: .null, isCounted: false))
        places[source.property] = place
        replace(at: operands.count - 1, source.value, isCounted: source.isCounted)
    }

    func remove(_ id: PropertyID) {
        guard let place = places.removeValue(forKey: id) else { return }
        replace(at: index(of: place), .null, isCounted: false)
        // Removed operands keep their places, so that a removal moves no others.
        guard operands.count > 2 * places.count + 64 else { return }
        let living = Set(places.values)
        operands.removeAll { !living.contains($0.place) }
    }

    /// The index of the property's operand; nil if it has none.
    func index(of id: PropertyID) -> Int? { places[id].map(index(of:)) }

    // MARK: Places

    /// The index of the first operand whose place is not below this one.
    private func index(of place: UInt64) -> Int {
        operands.indices.first(reaching: { operands[$0].place >= place })
    }

    /// The value of the operand at the place; null if there is none.
    private func value(at place: UInt64) -> StoredValue {
        let index = index(of: place)
        return index < operands.count && operands[index].place == place ? operands[index].value : .null
    }

    private func has(_ place: UInt64, _ value: StoredValue) -> Bool { self.value(at: place).equals(value) }

    private func makePlace(at index: Int) -> UInt64 {
        let before = index == 0 ? nil : operands[index - 1].place
        let after = index == operands.count ? nil : operands[index].place
        switch (before, after) {
        case (nil, nil): return 1 << 63
        case (nil, let after?): if after > Operands.distance { return after - Operands.distance }
        case (let before?, nil): if before < .max - Operands.distance { return before + Operands.distance }
        case (let before?, let after?):
            if after - before > 1 { return before + (after - before) / 2 }
        }
        spread()
        return makePlace(at: index)
    }

    /// Gives all operands places with space in between.
    private func spread() {
        var place = firstPlace(of: operands.count)
        let old = places.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
        for index in operands.indices {
            old[operands[index].place].map { places[$0] = place }
            operands[index].place = place
            place += Operands.distance
        }
        forgetPlaces()
    }

    private func firstPlace(of count: Int) -> UInt64 { (1 << 63) - UInt64(count / 2) * Operands.distance }
}

extension StoredValue {
    /// Whether the values are equal, and of one kind.
    fileprivate func isSame(as other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int, .double), (.double, .int): false
        default: equals(other)
        }
    }
}
