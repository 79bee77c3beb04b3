// SPDX-License-Identifier: MIT
// A regular expression, and its search in time proportional to the text. Independent of the use of matches.

import ObserveCore

/// A regular expression that occurs in texts.
///
/// All ways to match advance together, one scalar at a time, so no text makes a search slow: it takes at most the
/// length of the text times the size of the pattern. What such a search can't do is refused: references to groups,
/// lookaround and the like.
///
/// - Threading: a value type.
/// - Cost: a search checks its deadline every few hundred microseconds.
struct TextPattern {
    /// One step of a way to match.
    enum Instruction {
        /// Takes one scalar of the class.
        case scalar(ScalarClass)
        case assertion(Assertion)
        case jump(Int)
        /// Both continue.
        case split(Int, Int)
        case match
    }

    enum Assertion: Equatable {
        case start
        case end
        /// At the end, or before a line feed there.
        case lastLineEnd
        case lineStart
        case lineEnd
        case wordBoundary
        case noWordBoundary
    }

    static let mostInstructions = 2000
    private static let stepsBetweenChecks = 1 << 16

    private let program: [Instruction]

    init(_ text: String) throws(TextPatternError) {
        var parser = TextPatternParser(text)
        program = try TextPatternCompiler.program(of: parser.parse())
    }

    /// Whether the pattern occurs in a text; nil if the deadline passes first.
    func occurs(in text: String, until deadline: MonotonicTime? = nil) -> Bool? {
        let scalars = Array(text.unicodeScalars)
        var threads = Threads(program)
        var waiting: [Int] = []
        var steps = 0
        for position in 0...scalars.count {
            threads.begin()
            waiting.append(0)
            for start in waiting where threads.add(start, position, scalars) { return true }
            waiting.removeAll(keepingCapacity: true)
            guard position < scalars.count else { break }
            for number in threads.taking {
                guard case .scalar(let taken) = program[number] else { continue }
                if taken.contains(scalars[position]) { waiting.append(number + 1) }
            }
            steps += threads.taking.count + 1
            if steps >= TextPattern.stepsBetweenChecks {
                steps = 0
                if let deadline, deadline <= .now { return nil }
            }
        }
        return false
    }
}

/// The instructions that are reached at one position of a text, each once.
private struct Threads {
    private let program: [TextPattern.Instruction]
    /// The last position at which each instruction was reached.
    private var reached: [Int]
    private var round = 0
    private var pending: [Int] = []
    /// Those that take the scalar at this position.
    private(set) var taking: [Int] = []

    init(_ program: [TextPattern.Instruction]) {
        self.program = program
        reached = Array(repeating: 0, count: program.count)
    }

    mutating func begin() {
        round += 1
        taking.removeAll(keepingCapacity: true)
    }

    /// Adds an instruction, and all that it leads to without a scalar.
    ///
    /// - Returns: whether the match is among them.
    mutating func add(_ start: Int, _ position: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        pending.append(start)
        while let number = pending.popLast() {
            guard reached[number] != round else { continue }
            reached[number] = round
            switch program[number] {
            case .scalar: taking.append(number)
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .assertion(let assertion):
                if assertion.holds(at: position, in: scalars) { pending.append(number + 1) }
            case .match:
                pending.removeAll(keepingCapacity: true)
                return true
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

/// A parsed regular expression.
indirect enum TextPatternNode {
    case scalar(ScalarClass)
    case assertion(TextPattern.Assertion)
    case sequence([TextPatternNode])
    case choice([TextPatternNode])
    /// Without an upper bound if that is nil.
    case repeated(TextPatternNode, least: Int, most: Int?)
}

/// - Errors: ``TextPatternError`` if the instructions would be too many.
struct TextPatternCompiler {
    private var program: [TextPattern.Instruction] = []

    static func program(of node: TextPatternNode) throws(TextPatternError) -> [TextPattern.Instruction] {
        var compiler = TextPatternCompiler()
        try compiler.append(node)
        try compiler.emit(.match)
        return compiler.program
    }

    private mutating func emit(_ instruction: TextPattern.Instruction) throws(TextPatternError) {
        guard program.count < TextPattern.mostInstructions else { throw .tooLarge }
        program.append(instruction)
    }

    private mutating func append(_ node: TextPatternNode) throws(TextPatternError) {
        switch node {
        case .scalar(let taken): try emit(.scalar(taken))
        case .assertion(let assertion): try emit(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try append(node) }
        case .choice(let nodes): try append(choice: nodes)
        case .repeated(let node, let least, let most):
            for _ in 0..<least { try append(node) }
            guard let most else { return try appendLoop(node) }
            // Each further one is optional, and so are those after it.
            var splits: [Int] = []
            for _ in least..<most {
                splits.append(program.count)
                try emit(.jump(0))
                try append(node)
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
        }
    }

    private mutating func append(choice nodes: [TextPatternNode]) throws(TextPatternError) {
        var ends: [Int] = []
        for node in nodes.dropLast() {
            let split = program.count
            try emit(.jump(0))
            try append(node)
            ends.append(program.count)
            try emit(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        if let last = nodes.last { try append(last) }
        for end in ends { program[end] = .jump(program.count) }
    }

    private mutating func appendLoop(_ node: TextPatternNode) throws(TextPatternError) {
        let split = program.count
        try emit(.jump(0))
        try append(node)
        try emit(.jump(split))
        program[split] = .split(split + 1, program.count)
    }
}
