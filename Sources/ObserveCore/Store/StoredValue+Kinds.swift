// SPDX-License-Identifier: MIT
// The numeric order and the kinds of stored values, for operators, `describe` and messages.

extension StoredValue {
    var isNumber: Bool {
        switch self {
        case .int, .double: true
        default: false
        }
    }

    /// Numeric order without rounding.
    func isLess(than other: StoredValue) -> Bool {
        switch (self, other) {
        case (.int(let a), .int(let b)): a < b
        case (.int(let a), .double(let b)): Numbers.compare(a, b) < 0
        case (.double(let a), .int(let b)): Numbers.compare(b, a) > 0
        case (.double(let a), .double(let b)): a < b
        default: false
        }
    }

    /// The kind as a word, for `describe`.
    var kindName: String {
        switch self {
        case .absent, .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .double: "double"
        case .string, .text: "string"
        case .array: "array"
        case .model: "model"
        }
    }

    /// The kind as a phrase in a sentence.
    var kindPhrase: String {
        switch self {
        case .absent, .null: "null"
        case .bool: "a boolean"
        case .int, .double: "a number"
        case .string, .text: "a string"
        case .array: "an array"
        case .model: "a model"
        }
    }

    /// Whether it is the value of an operator or a selection that would look at too much, or one below it.
    var isExcess: Bool { if case .array(let array) = self { array.isExcess } else { false } }
}
