// SPDX-License-Identifier: MIT
// Expressions have the form and the value of the naive ones, for two kinds of values, and a property that a template computes is up to date.

@testable import ObserveCore

func fuzzTemplates(_ input: [UInt8]) {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    let syntax = ExpressionSyntax(maxDepth: 16)
    compare(text, NaiveParser.template(text, maxDepth: 16)) { () throws(ExpressionError) in
        try Template(parsing: text, syntax).expressions
    }
    compare(text, NaiveParser.expression(text, maxDepth: 16).map { [$0] }) { () throws(ExpressionError) in
        [try Expression(parsing: text, syntax)]
    }
    checkComputing(text)
}

/// Compares what the library and the naive parser make of a text. Only the library has limits.
private func compare(
    _ text: String,
    _ naive: @autoclosure () -> [NaiveExpression]?,
    _ parse: () throws(ExpressionError) -> [Expression]
) {
    let expressions: [Expression]?
    do throws(ExpressionError) { expressions = try parse() } catch {
        if error.exceedsLimit { return }
        require(
            1...text.unicodeScalars.count + 1 ~= error.column,
            "the column \(error.column) is not one of \(text)"
        )
        expressions = nil
    }
    let naive = naive()
    require((naive == nil) == (expressions == nil), "only one parser refuses \(text)")
    for (expression, naive) in zip(expressions ?? [], naive ?? []) {
        compareEvaluations(expression, naive, text)
    }
}

/// Evaluates the expression over JSON values, over stored ones, and naively.
private func compareEvaluations(_ expression: Expression, _ naive: NaiveExpression, _ text: String) {
    let pool: [Value] = [.null, true, 7, -2.5, "a\"é\u{7}", [1, .null, ["x"]], .int(.min), "A", 0, 1e300]
    for round in 0..<4 {
        let values = expression.operands.indices.map { pool[($0 * 7 + round * 3) % pool.count] }
        func operand(_ index: Int) -> Value {
            if case .literal(let literal) = expression.operands[index] { literal } else { values[index] }
        }
        let json = ExpressionEvaluator<Value>(maxTextBytes: .max).value(of: expression) { operand($0) }
        let stored = ExpressionEvaluator<StoredValue>(maxTextBytes: .max).value(of: expression) {
            inTree(operand($0))
        }
        requireEqual(stored.json, json.json, "another value: \(text)")
        requireEqual(naive.value(values).json, json.json, "another value than the naive one: \(text)")
    }
}

private func inTree(_ value: Value) -> StoredValue {
    guard let elements = value.array else { return StoredValue(scalar: value) }
    return .array(StoredArray(ContiguousArray(elements.map(inTree))))
}

/// Declares the computed property, and compares its value with a fresh tree's after each write.
private func checkComputing(_ text: String) {
    var computed = PropertyDeclaration("c", "Any")
    computed.computed = text
    let types = [
        TypeDeclaration(
            "T",
            [
                PropertyDeclaration("i", "Int"), PropertyDeclaration("s", "String"),
                PropertyDeclaration("n", "T?"), PropertyDeclaration("l", "[Any]"),
                PropertyDeclaration("m", "[String: Any]"), computed,
            ]
        )
    ]
    let tree = ModelTree()
    guard tree.declare(types).isEmpty else { return }
    do throws(DeclarationFault) { try tree.declare(root: "t", type: "T") } catch { return }
    let writes = [
        #"{}"#, #"{"i":-1,"s":"\"{}","l":[1,2.5,{"i":3}],"m":{"a":1}}"#,
        #"{"n":{"i":9,"s":"é","n":{"l":[[1],null,true]}},"l":["x"]}"#,
    ]
    for json in writes {
        do throws(TreeError) { try tree.define(root: "t", json: json) } catch { fatalError(error.message) }
        requireEqual(tree.faults(), [], "after \(json)")
        let fresh = ModelTree()
        guard fresh.declare(types).isEmpty else { fatalError("the types are refused the second time") }
        do {
            try fresh.declare(root: "t", type: "T")
            try fresh.define(root: "t", json: json)
        } catch { fatalError("\(error)") }
        requireEqual(tree.json(ofRoot: "t"), fresh.json(ofRoot: "t"), "not up to date")
    }
}
