// SPDX-License-Identifier: MIT
// A Swift class as a model type of a tree. Made once for each class and tree; knows nothing of instances.

/// What a tree knows of a Swift class whose models it hosts.
final class HostedClass {
    let type: TypeID
    let name: String
    let table: PropertyTable
    /// The published properties by their place in the class's ``PropertyTable``; nil for one that can't be shown.
    var properties: [HostedProperty?] = []
    /// The same by name.
    var places: [NameID: Int] = [:]
    /// Those that can't be shown, as in `Player.delegate`.
    var faults: [String] = []
    let make: (() -> any ObservableModel)?

    init(_ type: any ObservableModel.Type, number: TypeID, name: String) {
        self.type = number
        self.name = name
        table = PropertyTable.of(type)
        make = (type as? any CreatableModel.Type).map { creatable in { creatable.init() } }
    }
}

/// A published property of a Swift class.
struct HostedProperty {
    let name: NameID
    let shape: HostedShape
    let isWeak: Bool
}
