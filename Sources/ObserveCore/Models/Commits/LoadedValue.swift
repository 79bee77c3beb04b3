// SPDX-License-Identifier: MIT
// The JSON text of a load, until a commit assigns its value. Independent of the place that it is for.

/// A JSON text whose value the tree prepares in slices, between commits of others.
/// - Cost: the commit visits each new model and property once. It builds the values of declared types.
final class LoadedValue {
    private enum Stage {
        case validating(JSONSlicedScan)
        case building(LoadedValueBuilder)
        case ready
    }

    /// The text; complete, and unchanged, from the first slice on.
    let text = ByteBuffer()
    private var stage: Stage
    private var json = JSONView(validated: ByteView("null"))
    private var staged: StagedValue?

    /// - Parameter maxDepth: how deep the text may nest.
    init(maxDepth: Int) { stage = .validating(JSONSlicedScan(maxDepth: maxDepth)) }

    /// Whether it builds values, which take memory besides the text unless no place in it takes `Any`.
    var isBuilding: Bool { if case .building = stage { true } else { false } }
    var isReady: Bool { if case .ready = stage { true } else { false } }

    /// The bytes of memory that its models and values take so far.
    var stagedBytes: Int { staged.map { $0.models.bytes + $0.bytes } ?? 0 }

    /// Validates about so many more bytes of the text, or builds values from them: see ``DerivingTree/type(ofLoadTo:)``.
    func advance(_ bytes: Int, in tree: WritingTree, as type: ValueType?) throws(JSONError) {
        switch stage {
        case .validating(var scan):
            let whole = try scan.advance(text.view, bytes: bytes)
            stage = .validating(scan)
            guard let whole else { return }
            json = whole
            guard json.kind.isContainer, let type else { return stage = .ready }
            let builder = LoadedValueBuilder(json, as: type, StagedModels(in: tree.records.staging))
            staged = builder.value
            stage = .building(builder)
        case .building(var builder):
            // Its levels would be copied while the stage has them.
            stage = .ready
            if !builder.advance(bytes, in: tree) { stage = .building(builder) }
        case .ready: return
        }
    }

    /// Assigns the value, which is ready, to `path`. Returns false if the value there was already equal.
    func assign(to path: ParsedKeyPath, in tree: WritingTree) throws(TreeError) -> Bool {
        tree.pending.loaded = staged
        defer { tree.pending.loaded = nil }
        return try tree.set(path, to: json)
    }
}
