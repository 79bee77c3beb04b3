// SPDX-License-Identifier: MIT
// Builds the value of a validated JSON text in slices. Assigns nothing.

/// Builds the arrays and objects for which their places declare no type, with their models.
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
        /// An array or object that only the commit builds, and the type of the element or member under way; nil if it takes none.
        case declared(TypeID, inner: ValueType?)
    }

    let value: StagedValue
    /// The type of the text's place.
    private let type: ValueType
    private var walker: JSONWalker
    /// The arrays and objects at the present place, the innermost last.
    private var open: ContiguousArray<Level> = []
    /// Where the outermost one that is built begins.
    private var start = 0
    /// Whether the innermost is an array that is built.
    private var isInArray = false

    /// - Parameter json: outlives the builder.
    init(_ json: JSONView, as type: ValueType, _ models: StagedModels) {
        value = StagedValue(of: json.view, models)
        self.type = type
        walker = JSONWalker(json)
    }

    /// Continues to build for about so many bytes of the text. A bracket counts as several, since an array costs more than a
    /// number. Returns whether the text's end or its first fault is reached.
    mutating func advance(_ bytes: Int, in tree: WritingTree) -> Bool {
        let before = tree.records.countedBytes
        defer { tree.records.noteStaged(value.models, since: before) }
        do throws(TreeError) { return try build(bytes, in: tree) } catch {
            value.end(with: error, at: start)
            return true
        }
    }

    private mutating func build(_ bytes: Int, in tree: WritingTree) throws(TreeError) -> Bool {
        var end = walker.position + bytes
        // The newest elements of the innermost array. The runtime checks each access to its own.
        var newest: ContiguousArray<StoredValue> = []
        defer { append(&newest) }
        while walker.position < end {
            switch walker.next() {
            case .scalar(let json):
                if isInArray {
                    newest.append(try tree.build(json))
                } else if case .model? = open.last {
                    add(try tree.build(json), tree)
                    end -= LoadedValueBuilder.propertyWork
                }
            case .name(let json): note(name: json, tree)
            case .beginArray:
                append(&newest)
                guard try enters(isArray: true, tree) else { continue }
                open.append(.array(StoredArray([])))
                isInArray = true
                end -= LoadedValueBuilder.bracketWork
            case .beginObject:
                append(&newest)
                guard try enters(isArray: false, tree) else { continue }
                let model = tree.records.makeStagedModel(value.models)
                open.append(.model(model, last: .noRecord, name: JSONView(validated: ByteView(""))))
                isInArray = false
                end -= LoadedValueBuilder.modelWork
            case .end:
                append(&newest)
                guard let built = endLevel() else { continue }
                if isInArray {
                    newest.append(built)
                } else if case .model? = open.last {
                    add(built, tree)
                } else {
                    value.add(built, at: start)
                }
            case nil: return true
            }
        }
        return false
    }

    /// Enters an array or object. Returns whether to build it: not if only the commit can.
    private mutating func enters(isArray: Bool, _ tree: WritingTree) throws(TreeError) -> Bool {
        let place: ValueType?
        switch open.last {
        case .array?, .model?:
            try tree.refuseDepth(open.count)
            return true
        case .declared(_, let inner)?: place = inner?.wrapped
        case nil: place = type.wrapped
        }
        switch (place, isArray) {
        case (.array(let element)?, true) where element.wrapped != .any:
            open.append(.declared(.noRecord, inner: element))
        case (.any?, _), (.array?, true):
            start = walker.position - 1
            try tree.refuseDepth(open.count)
            return true
        case (.model(let type)?, false): open.append(.declared(type, inner: nil))
        default: open.append(.declared(.noRecord, inner: nil))
        }
        return false
    }

    private mutating func note(name: JSONView, _ tree: WritingTree) {
        guard let index = open.indices.last else { return }
        switch open[index] {
        case .model(let model, let last, _): open[index] = .model(model, last: last, name: name)
        case .declared(let type, _) where type != .noRecord:
            let known = tree.records.names.find(name.decoded(in: tree.scratchText))
            let declared = tree.typing.types[type].declared(known)
            open[index] = .declared(type, inner: declared.flatMap { $0.isWeak ? nil : $0.type })
        case .declared, .array: break
        }
    }

    private mutating func append(_ elements: inout ContiguousArray<StoredValue>) {
        if elements.isEmpty { return }
        if case .array(let array)? = open.last { array.append(elements) }
        elements = []
    }

    /// Adds the value of the member under way to the innermost model.
    private mutating func add(_ value: StoredValue, _ tree: WritingTree) {
        guard let index = open.indices.last, case .model(let model, var last, let name) = open[index]
        else { return }
        tree.stage(value, named: name, after: &last, in: model)
        open[index] = .model(model, last: last, name: name)
    }

    /// Leaves the innermost array or object. Returns the value, if it is built.
    private mutating func endLevel() -> StoredValue? {
        let level = open.popLast()
        isInArray = if case .array? = open.last { true } else { false }
        switch level {
        case .array(let array):
            array.trim()
            return .array(array)
        case .model(let model, _, _): return .model(model)
        case .declared, nil: return nil
        }
    }
}
