// SPDX-License-Identifier: MIT
// Evaluates conditions and choices at a place. Assigns nothing.

extension DerivingTree {
    /// Follows a component with a selection. Returns false if the place has no container, or too many elements.
    func select(_ selection: Selection, _ place: inout TracedPlace, _ cursor: inout EdgeCursor) -> Bool {
        let inputs = selection.condition?.expression.inputs ?? 0
        let names = selection.condition?.expression.firstNames ?? []
        switch selection.kind {
        case .name(let name, let index):
            guard step(name, index, &place, &cursor) else { return false }
            cursor.isExcessive = !dependents.mayFollow(inputs, &cursor, in: records)
            if cursor.isExcessive || !holds(selection.condition, at: place, &cursor) {
                place = TracedPlace(value: .null, isExcessive: cursor.isExcessive)
                return !cursor.isExcessive
            }
        case .choice(let choice):
            var chosen = TracedPlace(value: .null)
            var age: UInt64 = 0
            let tracked = cursor.tracksAge
            cursor.tracksAge = true
            defer { cursor.tracksAge = tracked }
            let isSearched = forEachElement(of: place, inputs: inputs, names, &cursor) { element, cursor in
                if element.value.isNull { return true }
                let outer = cursor.age
                cursor.age = element.indices.isEmpty ? revision(of: element.holder) : 0
                defer { cursor.age = max(cursor.age, outer) }
                guard holds(selection.condition, at: element, &cursor) else { return true }
                if choice == .first || cursor.age >= age { (chosen, age) = (element, cursor.age) }
                return choice == .latest
            }
            guard isSearched else { return fail(&place) }
            place = chosen
        case .elements(let function, let keyPath):
            var values: ContiguousArray<StoredValue> = []
            var names = names
            if let name = keyPath.firstName { names.append(name) }
            let age = cursor.age
            let inputs = keyPath.names.count + inputs
            // It evaluates the condition for each element. So it looks at none if it may not look at all.
            let looks = 1 + 2 * keyPath.names.count + (selection.condition?.expression.cost ?? 0)
            let isSearched = forEachElement(of: place, looks: looks, inputs: inputs, names, &cursor) {
                element,
                cursor in
                guard holds(selection.condition, at: element, &cursor, isCounted: true) else { return true }
                let isWhole = keyPath.names.isEmpty
                values.append(isWhole ? element.value : trace(keyPath, from: element, &cursor).value)
                return true
            }
            cursor.age = age
            let call = OperatorCall(function: function, keyPath: [])
            guard isSearched, let value = records.evaluate(call, over: .array(StoredArray(values)))
            else { return fail(&place) }
            place = TracedPlace(value: value)
        }
        return true
    }

    private func fail(_ place: inout TracedPlace) -> Bool {
        place.isExcessive = place.value.isContainer
        return false
    }

    /// Whether the condition is true at the place. Counts what it takes, its looks unless `isCounted`: the evaluations of one
    /// commit or request read a bounded number of bytes, beyond which the cursor is excessive, and no condition is true. An
    /// operand that would look at too much makes it excessive, too.
    private func holds(
        _ condition: SharedCondition?,
        at place: TracedPlace,
        _ cursor: inout EdgeCursor,
        isCounted: Bool = false
    ) -> Bool {
        guard let condition else { return true }
        if isCounted || records.effort.look(at: condition.expression.cost) {
            let before = dependents.evaluator.work
            let value = value(of: condition.expression, place, &cursor)
            // So that all conditions read 8 MiB by default.
            if records.effort.look(at: (dependents.evaluator.work &- before) >> 4) {
                if case .bool(true) = value { return !cursor.isExcessive }
                return false
            }
        }
        records.effort.lookNoMore()
        cursor.isExcessive = true
        return false
    }

    /// Calls `body` with the elements of an array, or with a model's strong properties, until it returns false.
    /// - Parameters:
    ///   - looks: how many looks `body` takes for each of them, besides those that it counts itself.
    ///   - inputs: how many properties it reads below each of them.
    ///   - names: the first of these properties, to prefetch them.
    /// - Returns: false if the place has no container, or too many elements.
    private func forEachElement(
        of place: TracedPlace,
        looks: Int = 1,
        inputs: Int,
        _ names: ContiguousArray<NameID>,
        _ cursor: inout EdgeCursor,
        _ body: (TracedPlace, inout EdgeCursor) -> Bool
    ) -> Bool {
        let count = records.elementCount(of: place.value)
        // Fewer properties may not be too many.
        if case .model(let model) = place.value { readMembers(of: model, &cursor) }
        guard place.value.isContainer,
            records.effort.look(at: count > limits.maxElements ? .max : count &* looks),
            dependents.mayFollow(count &* (1 &+ inputs), &cursor, in: records)
        else { return false }
        cursor.isExcessive = false
        // A dependent finds its former inputs without a search.
        let prefetches = count > Self.prefetchedElements && cursor.next == .noRecord
        switch place.value {
        case .array(let array):
            var element = place
            element.indices.append(0)
            for index in array.elements.indices {
                if prefetches, index % Self.prefetchedElements == 0 {
                    let next = array.elements[index...].prefix(Self.prefetchedElements)
                    prefetch(names, in: next.compactMap(\.modelID), cursor)
                }
                element.indices[element.indices.count - 1] = index
                element.value = array.elements[index]
                if !body(element, &cursor) || cursor.isExcessive { break }
            }
        case .model(let model):
            var id = records.models[model].first
            var passed = 0
            while id != .noRecord {
                if prefetches, passed % Self.prefetchedElements == 0 { prefetch(names, from: id, cursor) }
                passed += 1
                let next = records.properties[id].next
                if !records.properties[id].isWeak {
                    let element = TracedPlace(value: read(id, &cursor), holder: id)
                    if !body(element, &cursor) || cursor.isExcessive { break }
                }
                id = next
            }
        default: break
        }
        return !cursor.isExcessive
    }

    /// About as many reads as the processor overlaps.
    private static var prefetchedElements: Int { 32 }

    /// Prefetches for the next elements of a model, from that one on.
    private func prefetch(_ names: ContiguousArray<NameID>, from first: PropertyID, _ cursor: EdgeCursor) {
        var models: [ModelID] = []
        models.reserveCapacity(Self.prefetchedElements)
        var sum: UInt32 = 0
        var id = first
        for _ in 0..<Self.prefetchedElements where id != .noRecord {
            if let model = records.properties[id].slot.modelID { models.append(model) }
            if cursor.isRecording { sum &+= dependents.glance(at: id, in: records) }
            id = records.properties[id].next
        }
        paths.prefetchedSum &+= Int32(truncatingIfNeeded: sum)
        prefetch(names, in: models, cursor)
    }

    /// Reads the places where the searches for these properties begin, and those for their edges: the processor overlaps several
    /// such reads, whereas each search waits for its own.
    private func prefetch(_ names: ContiguousArray<NameID>, in models: [ModelID], _ cursor: EdgeCursor) {
        // Written once: a store after each read would let the processor overlap fewer of them.
        var sum: UInt32 = 0
        for name in names {
            for model in models {
                sum &+= records.propertyIndex.glance(pairHash(model, name, seed: records.seed))
            }
            guard cursor.isRecording else { continue }
            for model in models {
                if let id = records.property(model, name) { sum &+= dependents.glance(at: id, in: records) }
            }
        }
        paths.prefetchedSum &+= Int32(truncatingIfNeeded: sum)
    }

    /// The value of a path with conditions or choices, read once. Records nothing.
    func peek(_ path: ParsedKeyPath) -> TracedPlace {
        let compiled = records.readPath(path)
        defer { records.release(compiled) }
        var cursor = EdgeCursor.none
        return trace(compiled, from: TracedPlace(records.root), &cursor)
    }

    /// The value if the condition, given by its text, is true for it; else null. `noRecord` is always true.
    func selected(_ value: StoredValue, where text: NameID) -> StoredValue {
        if text == .noRecord { return value }
        let condition = records.condition(records.names.text(text))
        defer { records.release(condition) }
        var cursor = EdgeCursor.none
        return holds(condition, at: TracedPlace(value: value), &cursor) ? value : .null
    }

    /// The value of a node's selection in a container, read once.
    func peek(_ selection: CompiledExpression, in container: StoredValue) -> StoredValue {
        guard let path = selection.path else { return .absent }
        defer { records.release(path) }
        var cursor = EdgeCursor.none
        return trace(path, from: TracedPlace(value: container), &cursor).value
    }

    /// The revision that last changed the property, at the replayed revision.
    func revision(of id: PropertyID) -> UInt64 {
        let present = records.properties[id].revision
        if present < selections.firstRewound {
            assert(selections.revisions[id.number] ?? present == present, "it has changed since")
            return present
        }
        // About what a lookup takes.
        records.effort.count(2)
        return selections.revisions[id.number] ?? present
    }
}
