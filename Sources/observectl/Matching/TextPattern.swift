// SPDX-License-Identifier: MIT
// A regular expression, and its search in time proportional to the text. Independent of the use of matches.

import ObserveCore

/// All ways to match advance together, one scalar at a time, so a search takes at most the length of the text times the size
/// of the pattern. What such a search can't do is refused: references to groups, lookaround and the like.
///
/// - Cost: a search checks its deadline every few hundred microseconds.
struct TextPattern {
    /// One step of a way to match.
    enum Instruction {
        case scalar(ScalarClass)
        case assertion(Assertion)
        /// Continues that many instructions further on.
        case jump(Int)
        /// Continues with the next one, and that many further on.
        case split(Int)
        case match
    }

    enum Assertion: Equatable {
        case start, end, lineStart, lineEnd, wordBoundary, noWordBoundary
        /// At the end, or before a line feed there.
        case lastLineEnd
    }

    private static let stepsBetweenChecks = 1 << 16

    private let program: [Instruction]

    init(_ text: String) throws(TextPatternError) {
        var parser = TextPatternParser(text)
        program = try parser.parse()
    }

    /// Whether the pattern occurs in a text; nil if the deadline passes first.
    func occurs(in text: String, until deadline: MonotonicTime? = nil) -> Bool? {
        let scalars = Array(text.unicodeScalars)
        /// The number of positions up to the last one at which each instruction was reached.
        var reached = Array(repeating: 0, count: program.count)
        var pending: [Int] = []
        /// The instructions that take the scalar at a position.
        var taking: [Int] = []
        var steps = 0
        for position in 0...scalars.count {
            pending.append(0)
            taking.removeAll(keepingCapacity: true)
            while let number = pending.popLast() {
                guard reached[number] <= position else { continue }
                reached[number] = position + 1
                switch program[number] {
                case .scalar: taking.append(number)
                case .jump(let offset): pending.append(number + offset)
                case .split(let offset):
                    pending.append(number + offset)
                    pending.append(number + 1)
                case .assertion(let assertion):
                    if assertion.holds(at: position, in: scalars) { pending.append(number + 1) }
                case .match: return true
                }
            }
            guard position < scalars.count else { break }
            for number in taking {
                guard case .scalar(let taken) = program[number] else { continue }
                if taken.contains(scalars[position]) { pending.append(number + 1) }
            }
            steps += taking.count + 1
            if steps >= TextPattern.stepsBetweenChecks {
                steps = 0
                if let deadline, deadline <= .now { return nil }
            }
        }
        return false
    }
}

extension TextPattern.Assertion {
    fileprivate func holds(at position: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = position > 0 ? scalars[position - 1] : nil
        let after = position < scalars.count ? scalars[position] : nil
        switch self {
        case .start: return before == nil
        case .end: return after == nil
        case .lastLineEnd: return after == nil || position + 1 == scalars.count && after?.isNewline == true
        case .lineStart: return before?.isNewline ?? true
        case .lineEnd: return after?.isNewline ?? true
        case .wordBoundary: return (before?.isWord ?? false) != (after?.isWord ?? false)
        case .noWordBoundary: return (before?.isWord ?? false) == (after?.isWord ?? false)
        }
    }
}
