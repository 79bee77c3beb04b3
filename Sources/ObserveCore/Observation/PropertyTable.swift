// SPDX-License-Identifier: MIT
// The published properties of a class, by name. Independent of observers.

@_spi(Reflection) import Swift
import Synchronization

/// The published properties of one class in the order of their declaration, those of its superclasses first. Names, offsets and
/// types come from the metadata that `Mirror` reads, too. `Mirror` has no offsets, so it can't identify an assigned property.
/// - Threading: any thread; immutable.
/// - Cost: some microseconds for the first use of a class, and 30 ns for each lookup of a table.
package final class PropertyTable: Sendable {
    package struct Property: Sendable {
        /// The declared name, without the underscore of its storage.
        package let name: String
        let key: PropertyKey
        let storage: any PublishedStorage.Type

        package var valueType: any Any.Type { storage.valueType }
        package var isWeak: Bool { storage.isWeak }
    }

    /// The properties; a property's index is the same for as long as the process runs.
    package let properties: [Property]
    private let names: [String: Int]
    private let keys: [PropertyKey]

    private static let tables = Mutex<[ObjectIdentifier: PropertyTable]>([:])

    package static func of(_ type: any Any.Type) -> PropertyTable {
        if let known = tables.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        let fresh = PropertyTable(type)
        return tables.withLock { tables in
            if let known = tables[ObjectIdentifier(type)] { return known }
            tables[ObjectIdentifier(type)] = fresh
            return fresh
        }
    }

    private init(_ type: any Any.Type) {
        var properties: [Property] = []
        let isClass = _EachFieldOptions(rawValue: 1)
        unsafe _forEachField(of: type, options: isClass) { name, offset, type, _ in
            guard let storage = type as? any PublishedStorage.Type else { return true }
            let name = unsafe String(cString: name)
            properties.append(
                Property(
                    name: name.hasPrefix("_") ? String(name.dropFirst()) : name,
                    key: storage.isEmpty ? .empty(properties.count) : PropertyKey(rawValue: UInt32(offset)),
                    storage: storage
                )
            )
            return true
        }
        self.properties = properties
        keys = properties.map(\.key)
        names = Dictionary(properties.indices.map { (properties[$0].name, $0) }) { $1 }
    }

    /// The value of the property at that index; the model is of the table's class.
    package func value(ofProperty index: Int, of model: any ObservableModel) -> Any {
        properties[index].storage.value(in: model, at: properties[index].key)
    }

    /// Assigns the property at that index; the model is of the table's class. Returns false for a value of another type.
    package func setValue(_ value: Any, ofProperty index: Int, of model: any ObservableModel) -> Bool {
        properties[index].storage.assign(value, in: model, at: properties[index].key)
    }

    package func index(of name: String) -> Int? { names[name] }

    func index(of key: PropertyKey) -> Int? { keys.firstIndex(of: key) }
}

extension ChangedProperty: Equatable, CustomStringConvertible {
    /// The declared name of the property; `?` for one without ``Published`` that is not observed any more.
    public var name: String {
        if !key.isStored { return NamedProperties.name(of: key) }
        let table = PropertyTable.of(modelType)
        guard let index = table.index(of: key) else { return "?" }
        return table.properties[index].name
    }

    /// The class and the property, as in `Player.videoTitle`.
    public var description: String { "\(modelType).\(name)" }

    /// Whether both are the same property, at the same depth.
    public static func == (left: ChangedProperty, right: ChangedProperty) -> Bool {
        left.modelType == right.modelType && left.key == right.key && left.depth == right.depth
    }
}
