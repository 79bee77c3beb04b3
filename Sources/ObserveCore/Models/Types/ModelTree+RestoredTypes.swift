// SPDX-License-Identifier: MIT
// Finds the types of models that an earlier process or another tree made, and the faults of its templates.

extension ModelTree {
    /// The declared type of that name, or the dictionary type that the name spells.
    func restoredType(_ name: String) -> TypeID? {
        if let known = typing.types.find(name) { return known }
        guard let written = try? TypeNotation.parse(name, in: &typing.types),
            case .model(let type) = written.type
        else {
            return nil
        }
        return type
    }

    /// The templates that no longer parse, a sentence each. Their properties are null.
    var faultyTemplates: [String] {
        var sentences: [String] = []
        for type in typing.declarations?.types ?? [] {
            for property in type.properties {
                guard let text = property.computed else { continue }
                do throws(ExpressionError) {
                    _ = try Template(parsing: text, ExpressionSyntax(maxDepth: limits.maxDepth))
                } catch {
                    let place = DottedKeyPath.text(of: [type.name, property.name])
                    sentences.append(
                        "\(place) is null until a configuration has another template: \(error.description)"
                    )
                }
            }
        }
        return sentences
    }
}
