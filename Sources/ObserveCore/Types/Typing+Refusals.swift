// SPDX-License-Identifier: MIT
// Makes the errors about types: the path, the declared type, and the value found. Decides nothing.

extension Typing {
    func mismatch(_ type: ValueType, _ json: JSONView) -> TreeError {
        let isShown = json.kind.isNumber || json.kind == .true || json.kind == .false
        let found = isShown ? json.view.prefix(min(40, json.view.count)).string : json.kind.phrase
        return mismatch(type, found: found, json.kind.name)
    }

    func mismatch(_ type: ValueType, _ value: StoredValue, in records: borrowing Records) -> TreeError {
        let found = types.phrase(value, value.modelID.map { records.models[$0].type })
        return mismatch(type, found: found, value.kindName)
    }

    private func mismatch(_ type: ValueType, found: String, _ kind: String) -> TreeError {
        typeError("expected \(types.text(of: type)), found \(found)", type, kind)
    }

    func missing(_ type: ValueType) -> TreeError {
        typeError("expected \(types.text(of: type)), which has no default, and found nothing", type, "null")
    }

    func notLinked(_ type: ValueType, _ json: JSONView) -> TreeError {
        let wanted = "a link, since a weak \(types.text(of: type)) keeps no value alive"
        return typeError("expected \(wanted), found \(json.kind.phrase)", type, json.kind.name)
    }

    func notNullable(_ type: ValueType) -> TreeError {
        let wanted = "a strong link to a \(types.text(of: type))"
        return typeError("expected \(wanted): a weak one can become null", type, "model")
    }

    func typeError(_ sentence: String, _ type: ValueType, _ kind: String) -> TreeError {
        let (path, declared) = (trailPath, types.text(of: type))
        let message = TreeError.sentence(path, sentence)
        return TreeError(kind: .typeMismatch, message: message, path: path, declared: declared, found: kind)
    }

    mutating func required(_ path: ParsedKeyPath, _ type: ValueType) -> TreeError {
        beginTrail(.path(path))
        let text = types.text(of: type)
        let fault = "expected \(text), which is never null, so the property can't be removed"
        return typeError("\(fault): set another value, or declare \(text)?", type, "null")
    }

    func notCreatable(_ type: TypeID) -> TreeError {
        .readOnly(trailPath, "a \(types[type].name) is made by the program alone: link one that is there")
    }

    func computedMember() -> TreeError { .readOnly(trailPath, "this property is computed, and can't be set") }

    func unknownMember(_ name: ByteView, of type: TypeID) -> TreeError {
        unknownProperty(name, of: type, trailPath)
    }

    func unknownProperty(_ name: ByteView, of type: TypeID, _ path: String) -> TreeError {
        let nearest = NearestName.of(name.string, among: types[type].properties.map(\.text))
        let offer = nearest.map { "; did you mean \($0)?" } ?? ""
        let shown = name.isEmpty ? EmptyName.text.description : name.prefix(min(name.count, 80)).string
        let fault =
            types[type].isClosed
            ? "the configuration declares no root \(shown), and is closed\(offer)"
            : "\(types[type].name) has no property \(shown)\(offer)"
        let message = TreeError.sentence(path, fault)
        return TreeError(kind: .notFound, message: message, path: path, nearest: nearest)
    }
}

extension Declared {
    /// The reason why a place with that declaration can't be written; nil if it can.
    func refusal(at path: @autoclosure () -> String) -> TreeError? {
        if traits.contains(.computed) {
            return .readOnly(path(), "this property is computed, and can't be set")
        }
        if traits.contains(.readonly) {
            return .readOnly(path(), "this property is readonly: it is given when its model is made")
        }
        return nil
    }
}

extension TreeError {
    fileprivate static func readOnly(_ path: String, _ sentence: String) -> TreeError {
        TreeError(kind: .readOnly, message: self.sentence(path, sentence), path: path)
    }

    fileprivate static func sentence(_ path: String, _ text: String) -> String {
        path.isEmpty ? text : "\(path): \(text)"
    }

    /// The message without its path.
    package var reason: String {
        guard let path, !path.isEmpty, message.hasPrefix("\(path): ") else { return message }
        return String(message.dropFirst(path.count + 2))
    }

    package var components: [String] {
        guard let path, !path.isEmpty else { return [] }
        return (try? DottedKeyPath.literalNames(of: path, maxDepth: Int.max)) ?? []
    }
}
