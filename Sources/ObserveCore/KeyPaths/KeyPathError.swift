// SPDX-License-Identifier: MIT
// Errors in the text of a key path. Independent of models.

package struct KeyPathError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        case emptyPath
        case emptyComponent(number: Int)
        case danglingEscape
        case unknownOperator(String)
        case anyDepthNotLast
        case anyDepthHasCondition
        /// A condition that is not an expression, or never true, or whose component is faulty.
        case condition(ExpressionError)
        case operatorFirst
        case operatorTakesNoPath(String)
        case afterOperator
        case notText
        case notAComponent(number: Int)
        case tooDeep(limit: Int)
    }

    package let reason: Reason

    /// The column of a faulty condition, from 1.
    package var column: Int? { if case .condition(let error) = reason { error.column } else { nil } }

    /// Whether the path, or an expression in it, is longer or deeper than any may be.
    var exceedsLimit: Bool {
        switch reason {
        case .tooDeep: true
        case .condition(let error): error.exceedsLimit
        default: false
        }
    }

    /// The same fault as one of a condition at that column.
    func at(column: Int) -> KeyPathError {
        let fault = ExpressionError(column: column, reason: description, exceedsLimit: exceedsLimit)
        return KeyPathError(reason: .condition(fault))
    }

    /// A clause that follows the name of the faulty param.
    package var description: String {
        switch reason {
        case .emptyPath: "the key path is empty"
        case .emptyComponent(let number):
            "component \(number) of the key path is empty (an empty name is written \\e)"
        case .danglingEscape: "the key path ends in a backslash that escapes nothing"
        case .unknownOperator(let name):
            "\(name) is not a collection operator (a name that begins with @ is written \\\(name))"
        case .anyDepthNotLast: "** stands for any depth and must be the last component"
        case .anyDepthHasCondition: "** takes no condition; components before it may have one"
        case .condition(let error): error.description
        case .operatorFirst: "a collection operator follows the array or model that it is about"
        case .operatorTakesNoPath(let name):
            "\(name) counts elements, whatever is in them: nothing follows it"
        case .afterOperator:
            "only names may follow a collection operator: no wildcard, and no other operator (nesting them is not supported)"
        case .notText: "a key path is a string, or an array of strings and integers"
        case .notAComponent(let number):
            "component \(number) of the key path is neither a string nor an integer"
        case .tooDeep(let limit): "the key path has more than \(limit) components"
        }
    }
}
