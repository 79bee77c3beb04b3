// SPDX-License-Identifier: MIT
// The part of a daemon's value that Swift classes can hold. Independent of connections.

enum ReplicatedClass {
    /// The value without the members that the classes do not have.
    /// - Parameters:
    ///   - type: The class at the root.
    ///   - path: The path of the value below the root: empty, or with a leading dot.
    static func fitting(_ value: Value, _ type: any ObservableModel.Type, below path: Substring) -> Value {
        var shape: HostedShape? = .model(type)
        if !path.isEmpty {
            guard let names = try? DottedKeyPath.literalNames(of: String(path.dropFirst()), maxDepth: 512)
            else { return value }
            for name in names { shape = shape?.below(name) }
        }
        return shape.map { fitting(value, $0) } ?? value
    }

    private static func fitting(_ value: Value, _ shape: HostedShape) -> Value {
        switch (shape, value) {
        case (.optional(_, let wrapped), _): return fitting(value, wrapped)
        case (.array(_, let element), .array(let elements)):
            return .array(elements.map { fitting($0, element) })
        case (.model(let type), .object(let members)):
            let table = PropertyTable.of(type)
            var fitting = ValueMembers()
            for (name, value) in members where table.index(of: name) != nil {
                fitting[name] = shape.below(name).map { self.fitting(value, $0) } ?? value
            }
            return .object(fitting)
        default: return value
        }
    }
}

extension HostedShape {
    /// The shape of the property or element of that name.
    fileprivate func below(_ name: String) -> HostedShape? {
        switch self {
        case .scalar: return nil
        case .optional(_, let wrapped): return wrapped.below(name)
        case .array(_, let element): return element
        case .model(let type):
            let table = PropertyTable.of(type)
            return table.index(of: name).flatMap { HostedShape(table.properties[$0].valueType) }
        }
    }
}
