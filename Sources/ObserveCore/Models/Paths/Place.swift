// SPDX-License-Identifier: MIT
// Where a key path leads: a property, an element, or how far it comes.

/// Where a literal key path leads.
enum Place {
    /// A property that is present.
    case property(PropertyID)
    /// A model that has no property of the last component's name.
    case missingProperty(ModelID)
    /// An element of the array that this property holds; ``ModelTree/walkedIndices`` leads to it.
    case element(PropertyID)
    /// An array's element that does not exist, or a name that is no index; ``ModelTree/walkedIndices`` leads to the array.
    case missingElement(PropertyID)
    /// The component with this number, an earlier one than the last, is null or a scalar.
    case broken(component: Int, isScalar: Bool)
}
