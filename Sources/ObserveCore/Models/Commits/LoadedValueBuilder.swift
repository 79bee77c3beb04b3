// SPDX-License-Identifier: MIT
// Builds the value of a validated JSON text in slices. Assigns nothing.

/// Builds the value, with its models.
struct LoadedValueBuilder {
    /// About how many bytes of numbers take as long to build as an array.
    private static let bracketWork = 32
    /// And as a model, and as a property.
    private static let modelWork = 128
    private static let propertyWork = 64

    private enum Level {
        case array(StoredArray)
        /// A staged model. The last name in it, and the name of the member under way.
        case model(ModelID, last: NameID, name: JSONView)
        case fault(TreeError)
        /// An object behind a fault.
        case left
    }

    let value: StagedValue
    private var walker: JSONWalker
    /// The arrays and objects at the present place, the innermost last.
    private var open: ContiguousArray<Level> = []
    /// Whether the innermost is an array without a fault so far.
    private var isInArray = false

    /// - Parameter json: outlives the builder.
    init(_ json: JSONView, _ models: StagedModels) {
        value = StagedValue(of: json.view, models)
        walker = JSONWalker(json)
    }

    /// Continues to build.
    ///
    /// - Parameter bytes: about how many bytes of the text. A bracket counts as several, since an array costs more than a number.
    /// - Returns: whether the text's end is reached.
    mutating func advance(_ bytes: Int, in tree: WritingTree) -> Bool {
        let before = tree.records.countedBytes
        defer { tree.records.noteStaged(value.models, since: before) }
        var end = walker.position + bytes
        // The newest elements of the innermost array. The runtime checks each access to its own.
        var newest: ContiguousArray<StoredValue> = []
        defer { append(&newest) }
        while walker.position < end {
            switch walker.next() {
            case .scalar(let json):
                do throws(TreeError) {
                    if isInArray {
                        newest.append(try tree.build(json))
                    } else if case .model? = open.last {
                        try add(try tree.build(json), tree)
                        end -= LoadedValueBuilder.propertyWork
                    }
                } catch { note(error) }
            case .name(let json):
                if let last = open.indices.last, case .model(let model, let name, _) = open[last] {
                    open[last] = .model(model, last: name, name: json)
                }
            case .beginArray:
                append(&newest)
                begin(.array(StoredArray([])), tree)
                end -= LoadedValueBuilder.bracketWork
            case .beginObject:
                append(&newest)
                beginObject(tree)
                end -= LoadedValueBuilder.modelWork
            case .end:
                append(&newest)
                if let value = endLevel() {
                    if isInArray {
                        newest.append(value)
                    } else {
                        do throws(TreeError) { try add(value, tree) } catch { note(error) }
                    }
                }
            case nil: return true
            }
        }
        return false
    }

    private mutating func begin(_ level: Level, _ tree: WritingTree) {
        let depth = open.count
        open.append(level)
        isInArray = if case .array = level { true } else { false }
        if case .left = level { return }
        do throws(TreeError) { try tree.refuseDepth(depth) } catch { note(error) }
    }

    private mutating func beginObject(_ tree: WritingTree) {
        switch open.last {
        // Behind a fault, the rest is only passed over.
        case .fault?, .left?: begin(.left, tree)
        case .array?, .model?, nil:
            let model = tree.records.makeStagedModel(value.models)
            begin(.model(model, last: .noRecord, name: JSONView(validated: ByteView(""))), tree)
        }
    }

    /// Moves new elements to the innermost array, if that is still built.
    private mutating func append(_ elements: inout ContiguousArray<StoredValue>) {
        if elements.isEmpty { return }
        if case .array(let array)? = open.last { array.append(elements) }
        elements = []
    }

    /// Adds the value of the member under way to the innermost model.
    private mutating func add(_ value: StoredValue, _ tree: WritingTree) throws(TreeError) {
        guard let index = open.indices.last, case .model(let model, let last, let name) = open[index]
        else { return }
        let id = tree.records.names.intern(name.decoded(in: tree.scratchText), after: last)
        tree.add(value, named: id, to: model)
        tree.records.names.release(id)
        open[index] = .model(model, last: id, name: name)
    }

    /// Notes the first fault of the values at the present place.
    private mutating func note(_ error: TreeError) {
        isInArray = false
        for index in open.indices.reversed() {
            switch open[index] {
            case .array, .model: open[index] = .fault(error)
            case .fault, .left: return
            }
        }
    }

    /// Leaves the innermost array or object.
    ///
    /// - Returns: the value, if it is in another one that is still built.
    private mutating func endLevel() -> StoredValue? {
        guard let level = open.popLast() else { return nil }
        isInArray = if case .array? = open.last { true } else { false }
        let built: StoredValue
        switch level {
        case .array(let array):
            array.trim()
            built = .array(array)
        case .model(let model, _, _): built = .model(model)
        case .fault(let error):
            if open.isEmpty { value.result = .failure(error) }
            return nil
        case .left: return nil
        }
        switch open.last {
        case .array?, .model?: return built
        case .fault?, .left?: return nil
        case nil:
            value.result = .success(built)
            return nil
        }
    }
}
