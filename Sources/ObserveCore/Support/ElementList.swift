// SPDX-License-Identifier: MIT
// The elements of an array, in order. Independent of what they are.

/// Elements that can be inserted and removed anywhere. They are contiguous until a change would move many of them. From then on
/// they are in chunks, which copies of the list share until one of them changes.
/// - Cost: O(1) to read an element, O(log n) from chunks. An insertion or a removal moves a chunk's elements at most.
struct ElementList<Element>: RandomAccessCollection {
    private enum Storage {
        case contiguous(ContiguousArray<Element>)
        case chunked(ElementChunks<Element>)
    }

    /// A change that moves no more elements leaves them contiguous: it takes about 1 µs.
    static var mostMoved: Int { threshold(4096, debug: 4) }

    private var storage: Storage

    init(_ elements: ContiguousArray<Element>) { storage = .contiguous(elements) }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    @inline(__always) var count: Int {
        switch storage {
        case .contiguous(let elements): elements.count
        case .chunked(let chunks): chunks.count
        }
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            switch storage {
            case .contiguous(let elements): elements[index]
            case .chunked(let chunks): chunks[index]
            }
        }
        @inline(__always) _modify {
            switch storage {
            case .contiguous(var elements):
                storage = .contiguous([])
                defer { storage = .contiguous(elements) }
                yield &elements[index]
            case .chunked:
                let chunks = takeChunks()
                defer { storage = .chunked(chunks) }
                yield &chunks[index]
            }
        }
    }

    mutating func insert(_ element: Element, at index: Int) {
        divide(ifMoving: count - index)
        change { elements in
            // By a quarter: doubling would leave up to half of the memory unused.
            if elements.count == elements.capacity {
                elements.reserveCapacity(elements.count &+ elements.count / 4 &+ 2)
            }
            elements.insert(element, at: index)
        } chunked: {
            $0.insert(element, at: index)
        }
    }

    /// Appends to a list that may become large: moves no more than ``mostMoved`` elements, and the new ones.
    mutating func append(_ new: ContiguousArray<Element>) {
        divide(ifMoving: count + new.count)
        change {
            $0.append(contentsOf: new)
        } chunked: {
            $0.append(new)
        }
    }

    /// Frees most of the memory that ``append(_:)`` has reserved.
    mutating func trim() {
        guard case .contiguous(let elements) = storage else { return }
        storage = .contiguous(elements.withoutSlack)
    }

    mutating func remove(at index: Int) -> Element {
        divide(ifMoving: count - index)
        return change { elements in
            defer { elements = elements.withoutSlack }
            return elements.remove(at: index)
        } chunked: {
            $0.remove(at: index)
        }
    }

    mutating func removeLast(_ removed: Int) {
        change {
            $0.removeLast(removed)
        } chunked: {
            $0.removeLast(removed)
        }
    }

    func makeIterator() -> Iterator { Iterator(self) }

    struct Iterator: IteratorProtocol {
        private var part: ContiguousArray<Element>
        private var position = 0
        private let chunks: ElementChunks<Element>?
        private var nextPart = 0

        fileprivate init(_ list: ElementList) {
            switch list.storage {
            case .contiguous(let elements): (part, chunks) = (elements, nil)
            case .chunked(let chunks): (part, self.chunks) = ([], chunks)
            }
        }

        @inline(__always) mutating func next() -> Element? {
            if position == part.count, !advance() { return nil }
            defer { position &+= 1 }
            return part[position]
        }

        private mutating func advance() -> Bool {
            guard let chunks, nextPart < chunks.parts.count else { return false }
            part = chunks.parts[nextPart]
            position = 0
            nextPart += 1
            return true
        }
    }

    // MARK: Chunks

    private mutating func divide(ifMoving moved: Int) {
        guard moved > ElementList.mostMoved, case .contiguous(let elements) = storage else { return }
        storage = .chunked(ElementChunks(elements))
    }

    /// Changes the elements in place, unless another list shares them. Few elements become contiguous again.
    private mutating func change<Result>(
        _ contiguous: (inout ContiguousArray<Element>) -> Result,
        chunked: (ElementChunks<Element>) -> Result
    ) -> Result {
        guard case .contiguous(var elements) = storage else {
            let chunks = takeChunks()
            defer {
                storage =
                    chunks.count > ElementList.mostMoved / 2
                    ? .chunked(chunks) : .contiguous(ContiguousArray(chunks.parts.joined()))
            }
            return chunked(chunks)
        }
        storage = .contiguous([])
        defer { storage = .contiguous(elements) }
        return contiguous(&elements)
    }

    /// Takes the chunks out, so that the caller owns the only reference to them unless another list shares them.
    private mutating func takeChunks() -> ElementChunks<Element> {
        guard case .chunked(var chunks) = storage else { preconditionFailure("the elements are contiguous") }
        storage = .contiguous([])
        return isKnownUniquelyReferenced(&chunks) ? chunks : ElementChunks(copying: chunks)
    }
}

/// Elements in chunks, none of which is empty. Only the owner of the only reference changes them.
private final class ElementChunks<Element> {
    private static var mostInChunk: Int { threshold(1024, debug: 8) }

    private(set) var parts: ContiguousArray<ContiguousArray<Element>> = []
    /// The index behind the last element of each chunk.
    private var ends: ContiguousArray<Int> = []

    init(_ elements: ContiguousArray<Element>) {
        for start in stride(from: 0, to: elements.count, by: ElementChunks.mostInChunk / 2) {
            let end = min(start + ElementChunks.mostInChunk / 2, elements.count)
            parts.append(ContiguousArray(elements[start..<end]))
            ends.append(end)
        }
    }

    init(copying other: ElementChunks) {
        parts = other.parts
        ends = other.ends
    }

    var count: Int { ends.last ?? 0 }

    subscript(index: Int) -> Element {
        get {
            let part = part(of: index)
            return parts[part][index - start(of: part)]
        }
        _modify {
            let part = part(of: index)
            yield &parts[part][index - start(of: part)]
        }
    }

    func insert(_ element: Element, at index: Int) {
        let part = part(of: min(index, count - 1))
        parts[part].insert(element, at: index - start(of: part))
        moveEnds(from: part, by: 1)
        if parts[part].count > ElementChunks.mostInChunk { split(part) }
    }

    func append(_ new: ContiguousArray<Element>) {
        var rest = new[...]
        while !rest.isEmpty {
            let free = parts.last.map { ElementChunks.mostInChunk - $0.count } ?? 0
            if free > 0 {
                parts[parts.count - 1].append(contentsOf: rest.prefix(free))
                ends[ends.count - 1] += min(free, rest.count)
            } else {
                parts.append(ContiguousArray(rest.prefix(ElementChunks.mostInChunk)))
                ends.append(count + parts[parts.count - 1].count)
            }
            rest = rest.dropFirst(free > 0 ? free : ElementChunks.mostInChunk)
        }
    }

    func remove(at index: Int) -> Element {
        let part = part(of: index)
        let removed = parts[part].remove(at: index - start(of: part))
        moveEnds(from: part, by: -1)
        if parts[part].isEmpty { drop(part) } else { mergeIfSmall(part) }
        return removed
    }

    func removeLast(_ removed: Int) {
        let rest = count - removed
        while let end = ends.last, end > rest {
            let part = parts.count - 1
            let kept = max(rest - start(of: part), 0)
            parts[part].removeLast(parts[part].count - kept)
            ends[part] = start(of: part) + kept
            if kept == 0 { drop(part) }
        }
    }

    // MARK: Chunks

    private func part(of index: Int) -> Int {
        precondition(index >= 0 && index < count, "an array has no element at this index")
        return (0..<ends.count - 1).first(reaching: { ends[$0] > index })
    }

    private func start(of part: Int) -> Int { part == 0 ? 0 : ends[part - 1] }

    private func moveEnds(from part: Int, by distance: Int) {
        for later in part..<ends.count { ends[later] &+= distance }
    }

    private func split(_ part: Int) {
        let half = parts[part].count / 2
        parts.insert(ContiguousArray(parts[part][half...]), at: part + 1)
        parts[part].removeLast(parts[part].count - half)
        ends.insert(start(of: part) + half, at: part)
    }

    private func drop(_ part: Int) {
        parts.remove(at: part)
        ends.remove(at: part)
    }

    /// Joins a chunk with the one before it, so that removals leave no tiny chunks.
    private func mergeIfSmall(_ part: Int) {
        if part == 0 || parts[part].count + parts[part - 1].count >= ElementChunks.mostInChunk / 4 { return }
        parts[part - 1].append(contentsOf: parts[part])
        ends[part - 1] = ends[part]
        drop(part)
    }
}

extension ContiguousArray {
    /// The same elements in memory of about their size.
    var withoutSlack: ContiguousArray {
        guard capacity > count &+ count / 2 &+ 4 else { return self }
        var tight = ContiguousArray()
        tight.reserveCapacity(count)
        tight.append(contentsOf: self)
        return tight
    }
}

extension Range<Int> {
    /// The first number that meets a condition which all later ones meet as well; the end if none does.
    /// - Cost: O(log n).
    @inline(__always) func first(reaching isReached: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isReached(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
