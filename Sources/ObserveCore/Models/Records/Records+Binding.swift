// SPDX-License-Identifier: MIT
// Finds the model that would hold a value assigned at a place.

extension Records {
    /// The model that would strongly hold a value assigned there.
    func strongContainer(_ place: Place) -> ModelID? {
        switch place {
        case .property(let id):
            properties[id].flags.contains(.declaredWeak) ? nil : properties[id].model
        case .missingProperty(let model): model
        case .element(let id), .missingElement(let id): properties[id].model
        case .broken: nil
        }
    }
}
