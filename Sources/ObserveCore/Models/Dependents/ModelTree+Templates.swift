// SPDX-License-Identifier: MIT
// Compiles templates, and computes values from them. Independent of the order of updates.

extension ModelTree {
    /// Compiles a template for any number of models, for as long as the tree lives.
    func computation(_ template: Template, as type: ValueType = .any) -> Computation {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        let computation = Computation(
            as: type,
            template.parts.map { part in
                switch part {
                case .text(let text):
                    let json = ByteBuffer()
                    json.appendJSONString(utf8: text)
                    return .text(.make(json.view.slice(1..<json.count - 1)))
                case .path(let dotted):
                    guard (try? path.parse(dotted: dotted)) != nil else {
                        preconditionFailure("a template has a path that is none")
                    }
                    return .path(records.readPath(path))
                }
            }
        )
        dependents.computations.append(computation)
        return computation
    }

    /// Computes the property's value from its inputs, and records them.
    func compute(_ dependent: DependentID, _ cursor: inout EdgeCursor) -> StoredValue {
        guard let computation = dependents.records[dependent].computation else { return .null }
        let model = records.properties[dependents.records[dependent].property].model
        if let path = computation.onePath {
            let found = trace(path, from: model, &cursor).value
            if found.isNull { return .null }
            guard computation.type != .any else { return found }
            beginTrail(.text(ByteView("")))
            return (try? converted(found, as: computation.type)) ?? .null
        }
        templateText.removeAll()
        for part in computation.parts {
            switch part {
            case .text(let text): text.append(to: templateText)
            case .path(let path): append(trace(path, from: model, &cursor).value, to: templateText)
            }
        }
        // Templates that insert each other's texts could grow without bound.
        guard templateText.count <= limits.maxRenderedBytes else { return .null }
        return .string(.make(templateText.view))
    }

    /// Appends a value in the form that templates show, as contents of a JSON string. Recursion is as deep as
    /// arrays nest.
    private func append(_ value: StoredValue, to out: ByteBuffer) {
        switch value {
        case .absent, .null, .model: return
        case .bool(let bool): out.append(bool ? "true" : "false")
        case .int(let int): out.append(decimal: int)
        case .double(let double): out.append(double: double)
        case .string, .text: value.withText { out.append($0) }
        case .array(let array):
            for (index, element) in array.elements.enumerated() {
                guard out.count <= limits.maxRenderedBytes else { return }
                if index > 0 { out.append(", ") }
                append(element, to: out)
            }
        }
    }
}
