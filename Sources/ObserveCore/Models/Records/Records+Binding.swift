// SPDX-License-Identifier: MIT
// HEADER

extension Records {
    /// The model that would hold strongly what is assigned there.
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
