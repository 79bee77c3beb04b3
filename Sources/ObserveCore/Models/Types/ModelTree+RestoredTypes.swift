// SPDX-License-Identifier: MIT
// Finds the types of models that an earlier process or another tree made.

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
}
