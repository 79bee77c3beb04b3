// SPDX-License-Identifier: MIT
// Recognizes the notations of other programs in the text of a key path. Independent of models.

/// A path as other programs write it: `home/mode` (MQTT, files), `r.>`, `r.#` and `r.+` (NATS, AMQP, MQTT), `r.on*`
/// (shells). `volume: 5` (YAML) and `volume= 5` are such only for a path that a value follows: JSON has names like `http:`.
/// `arr[0]` (jq, JavaScript) is a condition, and refused as one that is never true.
///
/// The protocol permits all of these in names, but people nearly always mean something else. So the canonical text of a
/// path escapes these characters, but for the signs at its end, and `observectl` refuses them without an escape.
package struct ForeignNotation: Equatable, Sendable {
    /// A clause about the path.
    package let sentence: String
    /// The path that is probably meant; nil without a guess.
    package let meant: String?
    /// The path with the escapes that say that it is meant as it is.
    package let escaped: String

    /// - Parameter isAssigned: whether a value follows the path.
    /// - Returns: nil if the text has no such notation outside of its conditions, or is not a key path.
    package init?(in text: String, isAssigned: Bool = false) {
        let scan = NotationScan(text, isAssigned: isAssigned)
        guard let sentence = scan.sentence,
            let components = try? DottedKeyPath.components(of: text, maxDepth: .max)
        else { return nil }
        self.sentence = sentence
        var escaped = DottedKeyPath.text(of: components)
        if scan.signs > 0 {
            let sign = escaped.unicodeScalars.index(before: escaped.endIndex)
            escaped.unicodeScalars.insert("\\", at: sign)
        }
        self.escaped = escaped
        let path = scan.meant.joined(separator: ".")
        meant = (try? DottedKeyPath.components(of: path, maxDepth: .max)) == nil ? nil : path
    }

    /// Whether other programs take the name for a wildcard: `>`, `#` or `+`.
    static func isWildcard(_ name: ByteView) -> Bool {
        name.count == 1 && (name[0] == 0x3E || name[0] == 0x23 || name[0] == 0x2B)
    }
}

private struct NotationScan {
    /// The first notation, as a clause.
    private(set) var sentence: String?
    /// The components of the path that is probably meant, with their escapes.
    private(set) var meant: [String] = []
    private var component = String.UnicodeScalarView()
    /// The condition of the component, which has a notation of its own.
    private var condition: Substring = ""
    private var hasStar = false
    /// How many colons and equals signs of an assignment are at the end.
    private(set) var signs = 0

    init(_ text: String, isAssigned: Bool) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            signs = isAssigned && (scalar == ":" || scalar == "=") ? signs + 1 : 0
            switch scalar {
            case "\\":
                component.append(scalar)
                if let next = rest.popFirst() { component.append(next) }
            case "[":
                let open = text.unicodeScalars.index(before: rest.startIndex)
                condition = text[open...]
                if let length = ByteView.with(String(condition), { $0.endOfBracket(at: 0) }) {
                    condition = text[open..<text.utf8.index(open, offsetBy: length)]
                }
                rest = text.unicodeScalars[condition.endIndex...]
            case ".": endComponent()
            case "/":
                note("names are separated by dots, not by slashes")
                endComponent()
            default:
                if scalar == "*" { hasStar = true }
                component.append(scalar)
            }
        }
        if signs > 0 {
            note("no sign is between a path and its value")
            component.removeLast(signs)
        }
        endComponent()
        // `**` is the last component.
        for index in meant.indices.dropLast() where meant[index] == "**" { meant[index] = "*" }
    }

    private mutating func note(_ clause: String) { sentence = sentence ?? clause }

    private mutating func endComponent() {
        let text = String(component)
        component = String.UnicodeScalarView()
        defer { (hasStar, condition) = (false, "") }
        switch text {
        case "" where condition.isEmpty, "\\": return
        case "*", "**": meant.append(text + condition)
        case ">", "#":
            note("\(text) is not a wildcard: * stands for one name, and ** at the end for all that follows")
            meant.append("**" + condition)
        case "+":
            note("+ is not a wildcard: * stands for one name")
            meant.append("*" + condition)
        default:
            if hasStar { note("* stands for a whole name, not for a part of one") }
            meant.append((hasStar ? "*" : text) + condition)
        }
    }
}
