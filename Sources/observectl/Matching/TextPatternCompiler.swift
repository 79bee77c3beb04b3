// SPDX-License-Identifier: MIT
// Makes instructions of a parsed regular expression. Independent of its syntax.

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
