// SPDX-License-Identifier: MIT
// A condition of `observectl wait`: its text, and whether it holds for a value. Independent of the daemon.

import ObserveCore

/// A test of the value at one path.
struct Condition {
    /// The operators that take a value, as they are typed.
    enum Comparison: String, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    private enum Test {
        /// Not null.
        case exists
        case gone
        case comparison(Comparison, Value)
        /// The pattern occurs in the text.
        case matches(Regex<AnyRegexOutput>)
    }

    let path: String
    private let test: Test

    /// Reads `PATH [OPERATOR VALUE | exists | gone]…`.
    ///
    /// - Throws: a usage error that names the word at fault.
    static func parse(_ words: [String], _ arguments: ParsedArguments) throws(CommandError) -> [Condition] {
        var conditions: [Condition] = []
        var rest = words[...]
        while let path = rest.popFirst() {
            try check(path, arguments)
            let word = rest.first
            switch word {
            case "exists", "gone":
                rest.removeFirst()
                conditions.append(Condition(path: path, test: word == "gone" ? .gone : .exists))
            case "~":
                let pattern = try operand(of: path, &rest, arguments)
                conditions.append(Condition(path: path, test: .matches(try regex(pattern, arguments))))
            default:
                guard let word, let comparison = Comparison(rawValue: word) else {
                    conditions.append(Condition(path: path, test: .exists))
                    continue
                }
                let text = try operand(of: path, &rest, arguments)
                let value = try value(text, arguments)
                conditions.append(Condition(path: path, test: .comparison(comparison, value)))
            }
        }
        return conditions
    }

    func holds(for value: Value) -> Bool {
        switch test {
        case .exists: !value.isNull
        case .gone: value.isNull
        case .comparison(.equal, let other): value == other
        case .comparison(.notEqual, let other): value != other
        case .comparison(.less, let other): value.order(to: other).map { $0 < 0 } ?? false
        case .comparison(.lessOrEqual, let other): value.order(to: other).map { $0 <= 0 } ?? false
        case .comparison(.greater, let other): value.order(to: other).map { $0 > 0 } ?? false
        case .comparison(.greaterOrEqual, let other): value.order(to: other).map { $0 >= 0 } ?? false
        case .matches(let pattern): value.string?.firstMatch(of: pattern) != nil
        }
    }

    // MARK: Words

    private static func check(_ path: String, _ arguments: ParsedArguments) throws(CommandError) {
        if path == "~" || Comparison(rawValue: path) != nil {
            throw arguments.usage("'\(path)' has no PATH before it")
        }
        let components: [DottedKeyPath.Component]
        do throws(KeyPathError) {
            components = try DottedKeyPath.components(of: path, maxDepth: 100_000)
        } catch {
            throw arguments.usage("the path '\(path)': \(error.description)")
        }
        if components.contains(.anyName) || components.contains(.anyDepth) {
            throw arguments.usage("'\(path)' is a pattern, and wait takes key paths without * and **")
        }
    }

    /// Removes an operator and its value.
    private static func operand(
        of path: String,
        _ rest: inout ArraySlice<String>,
        _ arguments: ParsedArguments
    ) throws(CommandError) -> String {
        let name = rest.removeFirst()
        guard let value = rest.popFirst() else { throw arguments.usage("'\(path) \(name)' needs a VALUE") }
        return value
    }

    private static func value(_ text: String, _ arguments: ParsedArguments) throws(CommandError) -> Value {
        let json = try ValueArgument.read(Array(text.utf8), of: arguments, hint: false)
        do throws(JSONError) { return try json.value() } catch {
            throw arguments.usage("the value '\(text)' can't be compared: \(error)")
        }
    }

    private static func regex(_ text: String, _ arguments: ParsedArguments) throws(CommandError)
        -> Regex<AnyRegexOutput>
    {
        do {
            return try Regex(text).matchingSemantics(.unicodeScalar)
        } catch {
            throw arguments.usage("'\(text)' is not a regular expression: \(error)")
        }
    }
}

private extension Value {
    /// Negative if this is less, 0 if both are equal, else positive; nil unless both are numbers or both are text.
    func order(to other: Value) -> Int? {
        switch (self, other) {
        case (.int(let left), .int(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.double(let left), .double(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.int(let left), .double(let right)): Numbers.compare(left, right)
        case (.double(let left), .int(let right)): -Numbers.compare(right, left)
        // By Unicode scalars, as text is compared for equality.
        case (.string(let left), .string(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
                ? -1 : right.utf8.lexicographicallyPrecedes(left.utf8) ? 1 : 0
        default: nil
        }
    }
}
