// SPDX-License-Identifier: MIT
// Expressions have one value for two kinds of values, and a property that a template computes is up to date.

@testable import ObserveCore

func fuzzTemplates(_ input: [UInt8]) {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    if let template = try? Template(parsing: text, ExpressionSyntax(maxDepth: 16)) {
        for expression in template.expressions { compareEvaluations(expression, text) }
    }
    checkComputing(text)
}

/// Evaluates the expression over JSON values, and over stored ones.
private func compareEvaluations(_ expression: Expression, _ text: String) {
    let pool: [Value] = [.null, true, 7, -2.5, "a\"é\u{7}", [1, .null, ["x"]], .int(.min), "A", 0, 1e300]
    for round in 0..<4 {
        func operand(_ index: Int) -> Value {
            if case .literal(let literal) = expression.operands[index] { return literal }
            return pool[(index * 7 + round * 3) % pool.count]
        }
        let json = ExpressionEvaluator<Value>(maxTextBytes: 1 << 16).value(of: expression) { operand($0) }
        let stored = ExpressionEvaluator<StoredValue>(maxTextBytes: 1 << 20).value(of: expression) {
            inTree(operand($0))
        }
        // Texts are longer with JSON's escapes, so only the limits may differ.
        if json.isNull { continue }
        requireEqual(stored.json, json.json, "another value: \(text)")
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
