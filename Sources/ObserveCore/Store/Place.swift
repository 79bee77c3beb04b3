// SPDX-License-Identifier: MIT
// The place of a key path: a property, an element, or the component that breaks the path.

enum Place {
    /// A property that is present.
    case property(PropertyID)
    /// A model without a property of the last component's name.
    case missingProperty(ModelID)
    /// An element of this property's array; ``WalkState/indices`` leads to it.
    case element(PropertyID)
    /// An array's missing element, or a name that is not an index; ``WalkState/indices`` leads to the array.
    case missingElement(PropertyID)
    /// The component with this number, before the last one, is null or a scalar.
    case broken(component: Int, isScalar: Bool)

    /// The property that has the value there: of an element, that of its array. Nil if nothing stands there.
    var property: PropertyID? {
        switch self {
        case .property(let id), .element(let id): id
        case .missingProperty, .missingElement, .broken: nil
        }
    }
}
