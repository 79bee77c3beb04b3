// SPDX-License-Identifier: MIT
// Builds the arrays in a validated JSON text, in slices. Assigns nothing.

/// Builds the large arrays of a text that have no object in them.
struct LoadedArrayBuilder {
    /// A smaller array is left to the commit. Debug builds leave none, so that random tests of small arrays build them here.
    private static var leastBytes: Int {
        #if DEBUG
            0
        #else
            16 << 10
        #endif
    }

    /// About how many bytes of numbers take as long to build as an array.
    private static let bracketBytes = 32

    private enum Content {
        case array(StoredArray)
        case fault(TreeError)
        /// An object, or an array that has one.
        case left
    }

    private struct Level {
        /// The offset of the opening bracket.
        let start: Int
        var content: Content
    }

    let arrays: LoadedArrays
    private var walker: JSONWalker
    /// The arrays and objects at the present place, the innermost last.
    private var open: ContiguousArray<Level> = []
    /// Whether the innermost is an array without a fault or an object so far.
    private var isBuilding = false

    /// - Parameter json: outlives the builder.
    init(_ json: JSONView) {
        arrays = LoadedArrays(of: json.view)
        walker = JSONWalker(json)
    }

    /// Continues to build.
    ///
    /// - Parameter bytes: about how many bytes of the text. A bracket counts as several, since an array costs more than a number.
    /// - Returns: whether the text's end is reached.
    mutating func advance(_ bytes: Int, in tree: ModelTree) -> Bool {
        var end = walker.position + bytes
        // The newest elements of the innermost array. The runtime checks each access to its own.
        var newest: ContiguousArray<StoredValue> = []
        defer { append(&newest) }
        while walker.position < end {
            switch walker.next() {
            case .scalar(let json):
                guard isBuilding else { continue }
                do throws(TreeError) { newest.append(try tree.build(json)) } catch { note(error) }
            case .name: break
            case .beginArray:
                append(&newest)
                beginArray(at: walker.position - 1, tree)
                end -= LoadedArrayBuilder.bracketBytes
            case .beginObject:
                append(&newest)
                beginObject(at: walker.position - 1)
            case .end:
                append(&newest)
                if let element = endLevel() { newest.append(element) }
            case nil: return true
            }
        }
        return false
    }

    private mutating func beginArray(at start: Int, _ tree: ModelTree) {
        let depth = open.count
        open.append(Level(start: start, content: .array(StoredArray([]))))
        isBuilding = true
        do throws(TreeError) { try tree.refuseDepth(depth) } catch { note(error) }
    }

    private mutating func beginObject(at start: Int) {
        for index in open.indices.reversed() {
            guard case .array = open[index].content else { break }
            open[index].content = .left
        }
        open.append(Level(start: start, content: .left))
        isBuilding = false
    }

    /// Moves new elements to the innermost array, if that is still built.
    private func append(_ elements: inout ContiguousArray<StoredValue>) {
        if elements.isEmpty { return }
        if let last = open.last, case .array(let array) = last.content { array.append(elements) }
        elements = []
    }

    /// Notes the first fault of the arrays at the present place.
    private mutating func note(_ error: TreeError) {
        isBuilding = false
        for index in open.indices.reversed() {
            guard case .array = open[index].content else { return }
            open[index].content = .fault(error)
        }
    }

    /// Leaves the innermost array or object.
    ///
    /// - Returns: the array, if it is an element of one that is still built.
    private mutating func endLevel() -> StoredValue? {
        guard let level = open.popLast() else { return nil }
        isBuilding = if let above = open.last, case .array = above.content { true } else { false }
        switch level.content {
        case .array(let array):
            array.trim()
            if array.byteCount >= LoadedArrayBuilder.leastBytes { arrays[level.start] = .array(array) }
            return isBuilding ? .array(array) : nil
        case .fault(let error):
            arrays[level.start] = .fault(error)
            return nil
        case .left: return nil
        }
    }
}
