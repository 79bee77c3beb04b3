// SPDX-License-Identifier: MIT
// Makes the errors about types: the path, the declared type, and the value found. Decides nothing.

extension ModelTree {
    /// Clears the trail and begins one at a path.
    func beginTrail(_ step: TrailStep) {
        typing.trail.removeAll()
        typing.trail.append(step)
    }

    /// The path of the trail's end, in escaped form.
    var trailPath: String {
        let out = ByteBuffer()
        let decoded = ByteBuffer()
        for index in typing.trail.indices {
            decoded.removeAll()
            switch typing.trail[index] {
            case .path(let path): path.appendEscaped(first: path.count, to: decoded)
            case .text(let text): decoded.append(text)
            case .member(let name): name.appendDecoded(to: decoded)
            case .property(let name): decoded.append(records.names.text(name))
            case .index(let index): decoded.append(decimal: UInt64(index))
            }
            let isName =
                switch typing.trail[index] {
                case .path, .text: false
                case .member, .property, .index: true
                }
            guard isName || !decoded.isEmpty else { continue }
            if !out.isEmpty { out.append(0x2E) }
            if isName { out.appendEscaped(name: decoded.view) } else { out.append(decoded.view) }
        }
        return out.string
    }

    /// Refuses the value at the trail's end. While the tree collects refusals, adds this one and returns null.
    func refuse(_ error: TreeError) throws(TreeError) -> StoredValue {
        guard typing.refusals != nil else { throw error }
        typing.refusals?.append(error)
        return .null
    }

    // MARK: Errors at the trail's end

    func mismatch(_ type: ValueType, _ json: JSONView) -> TreeError {
        let isShown = json.kind.isNumber || json.kind == .true || json.kind == .false
        let found = isShown ? json.view.prefix(min(40, json.view.count)).string : json.kind.phrase
        return mismatch(type, found: found, json.kind.name)
    }

    func mismatch(_ type: ValueType, _ value: StoredValue) -> TreeError {
        switch value {
        case .bool(let bool): mismatch(type, found: bool ? "true" : "false", value.kindName)
        case .int(let int): mismatch(type, found: "\(int)", value.kindName)
        case .double(let double): mismatch(type, found: "\(double)", value.kindName)
        case .model(let model):
            records.models[model].type == .noRecord
                ? mismatch(type, found: "a model of no declared type", "model")
                : mismatch(
                    type,
                    found: "a model of type \(typing.types[records.models[model].type].name)",
                    "model"
                )
        case .absent, .null, .string, .text, .array: mismatch(type, found: value.kindPhrase, value.kindName)
        }
    }

    private func mismatch(_ type: ValueType, found: String, _ kind: String) -> TreeError {
        typeError("expected \(typing.types.text(of: type)), found \(found)", type, kind)
    }

    /// The error for an omitted model that is required and has no default.
    func missing(_ type: ValueType) -> TreeError {
        typeError(
            "expected \(typing.types.text(of: type)), which has no default, and found nothing",
            type,
            "null"
        )
    }

    /// The error for a value in a place that takes only links.
    func notLinked(_ type: ValueType, _ json: JSONView) -> TreeError {
        typeError(
            "expected a link, since a weak \(typing.types.text(of: type)) keeps no value alive, found \(json.kind.phrase)",
            type,
            json.kind.name
        )
    }

    func notNullable(_ type: ValueType) -> TreeError {
        typeError(
            "expected a strong link to a \(typing.types.text(of: type)): a weak one can become null",
            type,
            "model"
        )
    }

    private func typeError(_ sentence: String, _ type: ValueType, _ kind: String) -> TreeError {
        let path = trailPath
        return TreeError(
            kind: .typeMismatch,
            message: ModelTree.sentence(path, sentence),
            path: path,
            declared: typing.types.text(of: type),
            found: kind
        )
    }

    /// The error for the removal of a property that is never null.
    func required(_ path: ParsedKeyPath, _ type: ValueType) -> TreeError {
        beginTrail(.path(path))
        let text = typing.types.text(of: type)
        return typeError(
            "expected \(text), which is never null, so the property can't be removed: set another value, or declare \(text)?",
            type,
            "null"
        )
    }

    /// The reason why a place with that declaration can't be written; nil if it can.
    func refusal(ofWriting declared: Declared, _ path: @autoclosure () -> String) -> TreeError? {
        if declared.traits.contains(.computed) {
            return readOnly(path(), "this property is computed, and can't be set")
        }
        if declared.traits.contains(.readonly) {
            return readOnly(path(), "this property is readonly: it is given when its model is made")
        }
        return nil
    }

    /// The error for a new model of a type that only the program creates.
    func notCreatable(_ type: TypeID) -> TreeError {
        readOnly(
            trailPath,
            "a \(typing.types[type].name) is made by the program alone: link one that is there"
        )
    }

    /// The error for a member of a new value whose property is computed.
    func computedMember() -> TreeError { readOnly(trailPath, "this property is computed, and can't be set") }

    /// The error for a member of a new value that its type lacks.
    func unknownMember(_ name: ByteView, of type: TypeID) -> TreeError {
        unknownProperty(name, of: type, trailPath)
    }

    func unknownProperty(_ name: ByteView, of type: TypeID, _ path: String) -> TreeError {
        let nearest = NearestName.of(name.string, among: typing.types[type].properties.map(\.text))
        let offer = nearest.map { "; did you mean \($0)?" } ?? ""
        let shown = name.isEmpty ? EmptyName.text.description : name.prefix(min(name.count, 80)).string
        return TreeError(
            kind: .notFound,
            message: ModelTree.sentence(
                path,
                typing.types[type].isClosed
                    ? "the configuration declares no root \(shown), and is closed\(offer)"
                    : "\(typing.types[type].name) has no property \(shown)\(offer)"
            ),
            path: path,
            nearest: nearest
        )
    }

    private func readOnly(_ path: String, _ sentence: String) -> TreeError {
        TreeError(kind: .readOnly, message: ModelTree.sentence(path, sentence), path: path)
    }

    private static func sentence(_ path: String, _ text: String) -> String {
        path.isEmpty ? text : "\(path): \(text)"
    }
}

extension TreeError {
    /// The message without its path.
    package var reason: String {
        guard let path, !path.isEmpty, message.hasPrefix("\(path): ") else { return message }
        return String(message.dropFirst(path.count + 2))
    }

    /// The path's components.
    package var components: [String] {
        guard let path, !path.isEmpty else { return [] }
        return (try? DottedKeyPath.literalNames(of: path, maxDepth: Int.max)) ?? []
    }
}

extension JSONKind {
    /// The kind as a word, for `describe`.
    fileprivate var name: String {
        switch self {
        case .null: "null"
        case .true, .false: "bool"
        case .integer: "int"
        case .double: "double"
        case .string: "string"
        case .array: "array"
        case .object: "model"
        }
    }

    /// The kind as a phrase in a sentence.
    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .true, .false: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
