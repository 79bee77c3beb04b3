// SPDX-License-Identifier: MIT
// Builds the value of a validated JSON text in slices. Assigns nothing.

/// Builds the whole value with its models, or the large arrays of a text that have no object in them.
struct LoadedValueBuilder {
    /// A smaller array is left to the commit. Debug builds leave none, so that random tests of small arrays build them here.
    private static var leastBytes: Int {
        #if DEBUG
            0
        #else
            16 << 10
        #endif
    }

    /// About how many bytes of numbers take as long to build as an array.
    private static let bracketWork = 32
    /// And as a model, and as a property.
    private static let modelWork = 128
    private static let propertyWork = 64

    private enum Content {
        case array(StoredArray)
        /// A staged model. The last name in it, and the name of the member under way.
        case model(ModelID, last: NameID, name: JSONView)
        case fault(TreeError)
        /// An object, or an array that has one: the commit builds it.
        case left
    }

    private struct Level {
        /// The offset of the opening bracket.
        let start: Int
        var content: Content
    }

    let parts: LoadedParts
    private var walker: JSONWalker
    /// The arrays and objects at the present place, the innermost last.
    private var open: ContiguousArray<Level> = []
    /// Whether the innermost is an array without a fault or an object so far.
    private var isInArray = false

    /// - Parameters:
    ///   - json: outlives the builder.
    ///   - staged: nil if the commit builds the models.
    init(_ json: JSONView, _ staged: StagedModels?) {
        parts = LoadedParts(of: json.view)
        parts.staged = staged
        walker = JSONWalker(json)
    }

    /// Continues to build.
    ///
    /// - Parameter bytes: about how many bytes of the text. A bracket counts as several, since an array costs more than a number.
    /// - Returns: whether the text's end is reached.
    mutating func advance(_ bytes: Int, in tree: WritingTree) -> Bool {
        guard let staged = parts.staged else { return build(bytes, tree) }
        let before = tree.records.countedBytes
        defer { tree.records.noteStaged(staged, since: before) }
        return build(bytes, tree)
    }

    private mutating func build(_ bytes: Int, _ tree: WritingTree) -> Bool {
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
                    } else if case .model? = open.last?.content {
                        try add(try tree.build(json), tree)
                        end -= LoadedValueBuilder.propertyWork
                    }
                } catch { note(error) }
            case .name(let json):
                if let last = open.indices.last, case .model(let model, let name, _) = open[last].content {
                    open[last].content = .model(model, last: name, name: json)
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

    private mutating func begin(_ content: Content, _ tree: WritingTree) {
        let depth = open.count
        open.append(Level(start: walker.position - 1, content: content))
        isInArray = if case .array = content { true } else { false }
        if case .left = content { return }
        do throws(TreeError) { try tree.refuseDepth(depth) } catch { note(error) }
    }

    private mutating func beginObject(_ tree: WritingTree) {
        if let staged = parts.staged {
            // Behind a fault, the rest is only passed over.
            if case .fault? = open.last?.content { return begin(.left, tree) }
            if case .left? = open.last?.content { return begin(.left, tree) }
            let model = tree.records.makeStagedModel(staged)
            return begin(.model(model, last: .noRecord, name: JSONView(validated: ByteView(""))), tree)
        }
        for index in open.indices.reversed() {
            guard case .array = open[index].content else { break }
            open[index].content = .left
        }
        begin(.left, tree)
    }

    /// Moves new elements to the innermost array, if that is still built.
    private mutating func append(_ elements: inout ContiguousArray<StoredValue>) {
        if elements.isEmpty { return }
        if let last = open.last, case .array(let array) = last.content { array.append(elements) }
        elements = []
    }

    /// Adds the value of the member under way to the innermost model.
    private mutating func add(_ value: StoredValue, _ tree: WritingTree) throws(TreeError) {
        guard let index = open.indices.last, case .model(let model, let last, let name) = open[index].content
        else { return }
        let id = tree.records.names.intern(name.decoded(in: tree.scratchText), after: last)
        tree.add(value, named: id, to: model)
        tree.records.names.release(id)
        open[index].content = .model(model, last: id, name: name)
    }

    /// Notes the first fault of the values at the present place.
    private mutating func note(_ error: TreeError) {
        isInArray = false
        for index in open.indices.reversed() {
            switch open[index].content {
            case .array, .model: open[index].content = .fault(error)
            case .fault, .left: return
            }
        }
    }

    /// Leaves the innermost array or object.
    ///
    /// - Returns: the value, if it is in another one that is still built.
    private mutating func endLevel() -> StoredValue? {
        guard let level = open.popLast() else { return nil }
        var isBuilt = false
        isInArray = false
        switch open.last?.content {
        case .array:
            isInArray = true
            isBuilt = true
        case .model: isBuilt = true
        case .fault, .left, nil: break
        }
        switch level.content {
        case .array(let array):
            array.trim()
            if parts.staged == nil ? array.byteCount >= LoadedValueBuilder.leastBytes : open.isEmpty {
                parts[level.start] = .success(.array(array))
            }
            return isBuilt ? .array(array) : nil
        case .model(let model, _, _):
            if open.isEmpty { parts[level.start] = .success(.model(model)) }
            return isBuilt ? .model(model) : nil
        case .fault(let error):
            if parts.staged == nil || open.isEmpty { parts[level.start] = .failure(error) }
            return nil
        case .left: return nil
        }
    }
}
