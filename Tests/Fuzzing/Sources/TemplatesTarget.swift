// SPDX-License-Identifier: MIT
// A template's parts spell the template, and a property that it computes is up to date.

@testable import ObserveCore

func fuzzTemplates(_ input: [UInt8]) {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    if let template = try? Template(parsing: text, maxDepth: 16) { checkSpelling(template) }
    checkComputing(text)
}

/// The parts, written as a template, parse to equal parts.
private func checkSpelling(_ template: Template) {
    var text = ""
    for part in template.parts {
        switch part {
        case .text(let literal):
            for scalar in literal.unicodeScalars {
                text.unicodeScalars.append(scalar)
                if scalar == "{" || scalar == "}" { text.unicodeScalars.append(scalar) }
            }
        case .path(let path): text += "{\(path)}"
        }
    }
    do throws(TemplateError) {
        requireEqual(try Template(parsing: text, maxDepth: 16), template, "another template: \(text)")
    } catch { fatalError("\(text): \(error.description)") }
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
