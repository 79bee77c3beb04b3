// SPDX-License-Identifier: MIT
// The keys of published properties whose values take no memory. Independent of observers.

/// The keys of empty properties, such as a `Void` or an enumeration with one case.
///
/// Their storage has no bytes, so it shares its offset with its neighbour, and in optimised code its address is arbitrary. The
/// class's ``PropertyTable`` identifies it by its type, or, if a class has several properties of one empty type, by the key path.
@usableFromInline enum EmptyProperties {
    /// The key of the property whose storage has that type.
    /// - Parameter keyPath: The key path of the property; nil for its projection, whose key path is another one.
    @usableFromInline
    static func key(_ storage: any Any.Type, _ keyPath: AnyKeyPath?, in model: AnyObject) -> PropertyKey {
        let table = PropertyTable.of(type(of: model))
        let candidates = table.properties.filter { $0.storage == storage }
        if candidates.count == 1 { return candidates[0].key }
        let names = candidates.map(\.name)
        if let keyPath { return NamedProperties.key(of: keyPath, name: names.joined(separator: " or ")) }
        // A precondition has no words in release builds.
        fatalError(
            """
            \(type(of: model)) has several published properties of one empty type: \
            \(names.joined(separator: ", ")). Their projections can't be told apart. Observe the key path of the \
            property instead, or give each a type of its own
            """
        )
    }
}
