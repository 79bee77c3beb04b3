// SPDX-License-Identifier: MIT
// Parsed expressions over key paths, as steps for a stack. Data only; independent of values.

/// An expression such as `celsius < target && !away`. Each operand precedes the operation that takes it, so an evaluation needs
/// no recursion, and always reads all operands.
package struct Expression: Equatable, Sendable {
    package enum Operand: Equatable, Sendable {
        /// A valid key path in dotted form; empty for the value itself, which a condition writes as `.`.
        case path(String)
        /// `@reason`, without its `@`: only where the syntax has such fields.
        case field(String)
        /// Null, a boolean, a number or a text.
        case literal(Value)
        /// Nothing before the first operator, as in `{:json}`: only where the syntax gives that a meaning.
        case empty
    }

    package enum Step: Equatable, Sendable {
        /// The index of an operand.
        case operand(Int)
        case apply(Operation)
    }

    /// What takes the last values, and leaves one.
    package enum Operation: Equatable, Sendable {
        case or, and, equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, fallback
        case add, subtract, multiply, divide, remainder
        /// `condition ? value : other`.
        case choose
        case not, negate
        case min, max, abs, floor, ceil, round, len, lower, upper, contains, starts
        /// `round` with a number of decimals.
        case roundDecimals

        package var operandCount: Int {
            switch self {
            case .choose: 3
            case .not, .negate, .abs, .floor, .ceil, .round, .len, .lower, .upper: 1
            default: 2
            }
        }

        var givesBool: Bool {
            switch self {
            case .or, .and, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .not,
                .contains, .starts:
                true
            default: false
            }
        }
    }

    package let operands: [Operand]
    /// The column of each operand in the text, from 1.
    package let columns: [Int]
    package let steps: [Step]
    /// The column of its first character.
    package let column: Int
    /// The conditions of its paths, one after another. Their columns, too, are those in the whole text.
    var conditions: [Expression] = []

    /// Its operand, if it is nothing else.
    package var single: Operand? { steps.count == 1 ? operands.first : nil }

    package var paths: [(text: String, column: Int)] {
        zip(operands, columns).compactMap { operand, column in
            if case .path(let text) = operand { (text, column) } else { nil }
        }
    }

    /// The column of the last component of `prefix`, the beginning of a path, which has `column`.
    static func column(of prefix: String?, in path: String, at column: Int) -> Int {
        let starts = componentStarts(in: path)
        let count = prefix.map { componentStarts(in: $0).count } ?? 1
        return column + starts[min(count, starts.count) - 1]
    }

    /// Where the components of a path begin, in Unicode scalars, also of one that is not whole.
    package static func componentStarts(in path: String) -> [Int] {
        ByteView.with(path) { path in
            var (starts, index) = ([0], 0)
            while index < path.count {
                switch path[index] {
                case 0x5B: index = path.endOfBracket(at: index) ?? path.count
                case 0x5C: index += 2
                case let byte:
                    index += 1
                    if byte == 0x2E { starts.append(path.prefix(index).scalarCount) }
                }
            }
            return starts
        }
    }
}

/// What texts with expressions may contain, in one of the places for them.
package struct ExpressionSyntax: Sendable {
    package var maxDepth: Int
    /// Whether key paths may have wildcards.
    package var allowsPatterns = false
    /// The operands that begin with `@`.
    package var fields: [String] = []
    /// Whether an expression may lack its first operand.
    package var allowsEmpty = false
    /// Formats beyond those of ``ValueFormat``.
    package var furtherFormats: [String] = []
    /// Whether `.` is an operand: the value that a condition is about.
    var allowsValue = false

    var ofConditions: ExpressionSyntax {
        var syntax = ExpressionSyntax(maxDepth: maxDepth)
        syntax.allowsValue = true
        return syntax
    }

    /// How many bytes an expression may have, and how deep it may nest.
    static let maxBytes = 4096
    static let maxLevels = 64
    /// How many bytes the conditions of one request may have together, with their brackets: parsing takes 25 ms at most.
    static let maxConditionBytes = 32_768

    static var tooLong: String { "an expression has at most \(maxBytes) bytes, and this one is longer" }
    static var tooManyConditions: String {
        "the conditions of one request have at most \(maxConditionBytes) bytes together: send several"
    }

    package init(maxDepth: Int) { self.maxDepth = maxDepth }
}

/// A fault in the text of an expression or a template.
package struct ExpressionError: Error, Equatable {
    /// Counts the Unicode scalars of the text, from 1.
    package let column: Int
    /// A clause.
    package let reason: String
    /// Whether the expression is longer or deeper than any may be.
    package var exceedsLimit = false

    /// A clause that names the column.
    package var description: String { "column \(column): \(reason)" }
}
