// SPDX-License-Identifier: MIT
// Stored values as the values of expressions and of Swift programs, and their text in templates. Independent of operators.

extension StoredValue: ExpressionValue {
    init(text: String) { self = .string(.make(text)) }

    var operand: ExpressionScalar {
        switch self {
        case .absent, .null: .null
        case .bool(let bool): .bool(bool)
        case .int(let int): .int(int)
        case .double(let double): .double(double)
        case .string, .text: .text
        case .array(let array): .array(count: array.elements.count)
        case .model: .model
        }
    }

    var text: String { withUTF8(\.string) }

    func withUTF8<R>(_ body: (ByteView) -> R) -> R {
        var result: R?
        withText { contents in
            if contents.firstIndex(of: 0x5C, from: 0) == nil {
                result = body(contents)
            } else {
                let out = ByteBuffer(capacity: contents.count)
                out.appendDecoded(canonicalContents: contents)
                result = body(out.view)
            }
        }
        return result ?? body(ByteView(""))
    }

    var size: Int {
        var count = 1
        withText { count = $0.count }
        if case .array(let array) = self { count = array.byteCount }
        return count
    }

    var shown: String {
        let shown = ByteBuffer()
        append(to: shown, atMost: .max)
        let out = ByteBuffer(capacity: shown.count + 16)
        out.appendDecoded(canonicalContents: shown.view)
        return out.string
    }

    var json: String {
        if modelID != nil { return "" }
        let out = ByteBuffer()
        writeJSON(to: out)
        return out.string
    }

    /// Recursion is as deep as arrays nest.
    private func writeJSON(to out: ByteBuffer) {
        switch self {
        case .array(let array): out.append(arrayOf: array.elements) { $0.writeJSON(to: out) }
        default: writeScalar(to: out)
        }
    }

    func hasElement(equalTo value: StoredValue) -> Bool {
        if case .array(let array) = self { array.elements.contains { $0.equals(value) } } else { false }
    }

    func joined(with text: StoredValue) -> StoredValue {
        let out = ByteBuffer()
        for part in [self, text] { part.withText { out.append($0) } }
        return .string(.make(out.view))
    }

    /// Appends a value in the form that templates show, as contents of a JSON string. Recursion is as deep as arrays nest.
    func append(to out: ByteBuffer, atMost limit: Int) {
        switch self {
        case .absent, .null, .model: return
        case .bool, .int, .double: writeScalar(to: out)
        case .string, .text: withText { out.append($0) }
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                guard out.count <= limit else { return }
                if index > 0 { out.append(", ") }
                element.append(to: out, atMost: limit)
            }
        }
    }
}

extension StoredValue {
    /// Stores a scalar. Arrays, objects and numbers that are not finite become null.
    init(scalar value: Value) {
        switch value {
        case .string(let string): self.init(text: string)
        case .double(let double) where !double.isFinite: self = .null
        default: self.init(value.operand)
        }
    }

    /// The scalar; nil for arrays and models.
    var scalar: Value? {
        switch operand {
        case .text: .string(text)
        case .array, .model: nil
        case let scalar: Value(scalar)
        }
    }
}

extension StoredString {
    /// Stores the text: as between the quotes of canonical JSON.
    static func make(_ text: String) -> StoredString {
        let canonical = ByteBuffer(capacity: text.utf8.count + 2)
        canonical.appendJSONString(utf8: text)
        return make(canonical.view.dropFirst(1).prefix(canonical.count - 2))
    }
}
