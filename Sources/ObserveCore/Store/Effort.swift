// SPDX-License-Identifier: MIT
// Counts the tree's work, and bounds how much one request may look at. Independent of values.

struct Effort {
    /// Any number of elements together. One look at `Int.max`, which stands for one beyond a limit of its own, is refused.
    static let unbounded = Int.max >> 1

    /// The work so far, in steps of about 12 ns.
    private(set) var steps: UInt64 = 0
    private var rest = Effort.unbounded
    private var allowed = Effort.unbounded
    /// How many more bytes of conditions in paths may be parsed.
    private(set) var conditionBytes = ExpressionSyntax.maxConditionBytes
    /// The model that last exceeded the limits of a rendering, and the revision: it need not be rendered again.
    var tooLarge: (model: ModelID, revision: UInt64)?
    /// How many elements all operators have looked at, for tests.
    var evaluations = 0
    /// Whether more were to be looked at since ``allow(_:)``.
    private(set) var isExhausted = false
    /// Whether too few were left for a look that no other limit refuses, since ``allow(_:)``.
    private(set) var isShort = false

    /// Whether anything was looked at, or was to be, since ``allow(_:)``.
    var hasLooked: Bool { rest < allowed || isExhausted }

    /// Counts work in proportion to the tree, to an answer or to an event, also if its result is thrown away.
    @inline(__always) mutating func count(_ steps: Int) { self.steps &+= UInt64(truncatingIfNeeded: steps) }

    /// Begins a request, or the consequences of a commit.
    @inline(__always) mutating func allow(_ elements: Int) {
        (rest, allowed, isExhausted, isShort) = (elements, elements, false, false)
        allowConditions()
    }

    mutating func allowConditions() { conditionBytes = ExpressionSyntax.maxConditionBytes }

    /// Counts bytes of parsed conditions, at most ``conditionBytes``: each takes 0.8 µs at most.
    mutating func countParsed(conditionBytes bytes: Int) {
        conditionBytes -= bytes
        count(64 &* bytes)
    }

    /// Ends the looks of the request or commit: it wanted to look at more than were left.
    mutating func lookNoMore() { (rest, isExhausted, isShort) = (0, true, true) }

    /// Counts elements and properties before they are looked at. Returns false, with nothing counted, if fewer are left.
    @inline(__always) mutating func look(at elements: Int) -> Bool {
        guard elements <= rest else {
            isExhausted = true
            if elements < .max { isShort = true }
            return false
        }
        rest -= elements
        count(4 &* elements)
        return true
    }
}
