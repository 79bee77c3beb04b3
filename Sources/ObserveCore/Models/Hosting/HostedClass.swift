// SPDX-License-Identifier: MIT
// A Swift class as a model type of a tree. One for each class and tree; independent of instances.

final class HostedClass {
    let type: TypeID
    let swiftType: any ObservableModel.Type
    let table: PropertyTable
    /// The published properties by their place in ``PropertyTable``; nil for one that the tree can't show.
    var properties: [HostedProperty?] = []
    /// The places of the properties in ``PropertyTable``, by their names in the tree.
    var places: [NameID: Int] = [:]
    /// The properties that the tree can't show, as in `Player.delegate`.
    var faults: [(property: String, type: any Any.Type)] = []
    let make: (() -> any ObservableModel)?

    init(_ type: any ObservableModel.Type, number: TypeID) {
        self.type = number
        swiftType = type
        table = PropertyTable.of(type)
        make = (type as? any CreatableModel.Type).map { creatable in { creatable.init() } }
    }
}

struct HostedProperty {
    let name: NameID
    let shape: HostedShape
    let isWeak: Bool
}
