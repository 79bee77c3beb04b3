// SPDX-License-Identifier: MIT
// JSON schemas in the answer of `rpc.discover`, from a short notation. Independent of methods.

/// Translates schemas from this notation:
/// - `{path: Path, old?: any}` is an object with these members alone; those with a question mark may be absent.
/// - `{*: count}` is an object with members of any names.
/// - `[any]` is an array; `[any]+` has an element at least.
/// - `string|null` is one of both.
/// - `<latest every>` is one of these words.
/// - `bool=true` has a default.
/// - `Path` is a schema of the document's components, as every name with a capital. ``simple(_:)`` has the other names.
struct SchemaNotation {
    private var rest: Substring

    /// Text that is JSON already stays as it is.
    static func json(_ text: String) -> String {
        if text.hasPrefix("{\"") { return text }
        var notation = SchemaNotation(rest: text[...])
        return notation.schema()
    }

    private mutating func schema() -> String {
        var choices = [choice()]
        while consume("|") { choices.append(choice()) }
        return choices.count == 1 ? choices[0] : #"{"anyOf":[\#(choices.joined(separator: ","))]}"#
    }

    private mutating func choice() -> String {
        if consume("{") { return consume("*") ? map() : object() }
        if consume("[") { return array() }
        let words = consume("<") ? enumeration() : nil
        let json = words ?? SchemaNotation.simple(word())
        guard consume("=") else { return json }
        let fallback = words == nil ? word() : "\"\(word())\""
        return #"\#(json.dropLast()),"default":\#(fallback)}"#
    }

    private mutating func object() -> String {
        var (required, properties): ([String], [String]) = ([], [])
        while !consume("}") {
            let name = word()
            if !consume("?") { required.append("\"\(name)\"") }
            expect(":")
            properties.append("\"\(name)\":\(schema())")
            _ = consume(",")
        }
        let names = required.isEmpty ? "" : #""required":[\#(required.joined(separator: ","))],"#
        let members = properties.joined(separator: ",")
        return #"{"type":"object",\#(names)"properties":{\#(members)},"additionalProperties":false}"#
    }

    private mutating func map() -> String {
        expect(":")
        let value = schema()
        expect("}")
        return #"{"type":"object","additionalProperties":\#(value)}"#
    }

    private mutating func array() -> String {
        let element = schema()
        expect("]")
        let least = consume("+") ? #""minItems":1,"# : ""
        return #"{"type":"array",\#(least)"items":\#(element)}"#
    }

    private mutating func enumeration() -> String {
        var words: [String] = []
        while !consume(">") { words.append("\"\(word())\"") }
        return #"{"enum":[\#(words.joined(separator: ","))]}"#
    }

    private static func simple(_ name: String) -> String {
        switch name {
        case "any": return "{}"
        case "bool": return #"{"type":"boolean"}"#
        case "finite": return #"{"type":"number"}"#
        case "integer", "null", "object", "string": return #"{"type":"\#(name)"}"#
        // The number of a subscription, binding or model.
        case "number": return #"{"type":"integer","minimum":1}"#
        case "count": return #"{"type":"integer","minimum":0}"#
        // Of a transaction: those methods of the table that are writes.
        case "operation":
            return json(Method.all.filter(\.rules.isWrite).map(operation).joined(separator: "|"))
        default: return ##"{"$ref":"#/components/schemas/\##(name)"}"##
        }
    }

    private static func operation(_ method: Method) -> String {
        // The transaction has `dryRun` for all.
        let params = method.params.filter { $0.name != "dryRun" }.map {
            "\($0.name)\($0.isRequired ? "" : "?"): \($0.schema)"
        }
        return "{method: <\(method.name)>, params: {\(params.joined(separator: ", "))}}"
    }

    // MARK: Characters

    private mutating func consume(_ character: Character) -> Bool {
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == character else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func expect(_ character: Character) {
        precondition(consume(character), "a schema lacks \(character) before \(rest)")
    }

    private mutating func word() -> String {
        rest = rest.drop(while: \.isWhitespace)
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        precondition(!word.isEmpty, "a schema lacks a name before \(rest)")
        rest.removeFirst(word.count)
        return String(word)
    }
}
