// SPDX-License-Identifier: MIT
// Computes values from templates. Independent of the order of updates.

extension DerivingTree {
    func compute(_ dependent: DependentID, _ cursor: inout EdgeCursor) -> StoredValue {
        guard let computation = dependents.records[dependent].computation else { return .null }
        let model = records.properties[dependents.records[dependent].property].model
        if let path = computation.single?.path, records.isSelection(dependents.records[dependent].property) {
            let place = trace(path, from: TracedPlace(model), &cursor)
            return place.isExcessive ? excess : place.value.isNull ? .null : place.value
        }
        if let expression = computation.single {
            let found = value(of: expression, TracedPlace(model), &cursor)
            if found.isNull { return .null }
            guard computation.type != .any else { return found }
            typing.beginTrail(.text(ByteView("")))
            return (try? typing.converted(found, as: computation.type, in: records)) ?? .null
        }
        templateText.removeAll()
        for part in computation.parts {
            switch part {
            case .text(let text): text.append(to: templateText)
            case .value(let expression, let formats, let null):
                let value = value(of: expression, TracedPlace(model), &cursor)
                if value.isNull {
                    null.append(to: templateText)
                } else if !append(value, formats) {
                    return .null
                }
            }
        }
        // Templates that insert each other's texts could grow without bound.
        guard templateText.count <= limits.maxRenderedBytes else { return .null }
        return .string(.make(templateText.view))
    }

    /// The value of the expression, whose paths begin at the place.
    func value(of expression: CompiledExpression, _ place: TracedPlace, _ cursor: inout EdgeCursor)
        -> StoredValue
    {
        if let path = expression.path { return operand(path, from: place, &cursor) }
        let evaluator = dependents.evaluator
        evaluator.maxTextBytes = records.limits.maxRenderedBytes
        let before = evaluator.work
        let value = evaluator.value(of: expression.expression) { index in
            switch expression.operands[index] {
            case .path(let path): operand(path, from: place, &cursor)
            case .literal(let literal): literal
            }
        }
        records.effort.count(2 &* expression.expression.steps.count &+ (evaluator.work &- before) >> 4)
        return value
    }

    /// The value at the path: null, and the cursor excessive, if its operator or choice would look at too much.
    private func operand(_ path: ReadPath, from place: TracedPlace, _ cursor: inout EdgeCursor) -> StoredValue
    {
        let wasExcessive = cursor.isExcessive
        let found = trace(path, from: place, &cursor)
        cursor.isExcessive = wasExcessive || found.isExcessive
        return found.value
    }

    /// Appends the text of a value. Returns false if a format would read more than an evaluation may.
    private func append(_ value: StoredValue, _ formats: [ValueFormat]) -> Bool {
        var formatted = value
        for format in formats {
            // Each `:json` may double the text.
            guard formatted.size >> 2 <= limits.maxRenderedBytes else { return false }
            records.effort.count(formatted.size >> 2)
            if let text = format.text(of: formatted, { _, text in text }) {
                formatted = StoredValue(text: text)
            }
        }
        formatted.append(to: templateText, atMost: limits.maxRenderedBytes)
        return true
    }
}
