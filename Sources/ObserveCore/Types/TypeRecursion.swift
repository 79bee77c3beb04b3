// SPDX-License-Identifier: MIT
// Finds types whose models would contain each other without end, and endless defaults. Makes no models.

/// Looks for recursion in a table of types.
struct TypeRecursion {
    /// The most values of one default: with larger ones, a short request could take much memory.
    private static let maxValues = 10_000

    private let types: TypeTable
    private var faults: [(place: DeclaredPlace, fault: DeclarationFault)] = []

    private enum State {
        case underWay
        case done(Int)
    }

    private var entered: [TypeID: Bool] = [:]
    private var sizes: [DeclaredPlace: State] = [:]

    static func faults(in types: TypeTable) -> [(place: DeclaredPlace, fault: DeclarationFault)] {
        var recursion = TypeRecursion(types: types)
        for type in types.ids { recursion.follow(type) }
        for type in types.ids {
            for position in types[type].properties.indices {
                _ = recursion.size(DeclaredPlace(type: type, position: position))
            }
        }
        return recursion.faults
    }

    private init(types: TypeTable) { self.types = types }

    private mutating func report(_ place: DeclaredPlace, _ key: [String], _ message: String) {
        let names = [types[place.type].name, types[place].text] + key
        faults.append((place, DeclarationFault(place: names, message: message)))
    }

    // MARK: Models that need each other

    /// Follows the required models of the type's properties.
    private mutating func follow(_ type: TypeID) {
        guard entered[type] == nil else { return }
        entered[type] = true
        for (position, property) in types[type].properties.enumerated() where !property.isComputed {
            guard case .model(let next) = property.declared.type, !types[next].isOpen else { continue }
            if entered[next] == true {
                report(
                    DeclaredPlace(type: type, position: position),
                    [],
                    "every \(types[next].name) would need another in it, expected an optional on the way"
                )
            } else {
                follow(next)
            }
        }
        entered[type] = false
    }

    // MARK: Defaults that make models with defaults

    /// How many values the place's default makes.
    private mutating func size(_ place: DeclaredPlace) -> Int {
        switch sizes[place] {
        case .done(let size): return size
        case .underWay:
            report(place, ["default"], "this default makes itself again, without end")
            return 1
        case nil: break
        }
        let property = types[place]
        guard let initial = property.initial, !property.isComputed else { return 1 }
        sizes[place] = .underWay
        let size = size(initial, property.declared.type)
        guard size > Self.maxValues else {
            sizes[place] = .done(size)
            return size
        }
        report(place, ["default"], "this default makes more than \(Self.maxValues) values")
        // Counts as one value from now on, so that no place that contains it reports it again.
        sizes[place] = .done(1)
        return 1
    }

    private mutating func size(_ value: Value, _ type: ValueType) -> Int {
        switch (value, type.wrapped) {
        case (.array(let elements), _):
            return elements.reduce(1) { $0 + size($1, type.element) }
        case (.object(let members), .model(let model)) where !types[model].isOpen:
            var sum = 1
            for (position, property) in types[model].properties.enumerated() {
                if let given = members[property.text] {
                    sum += size(given, property.declared.type)
                } else {
                    sum += size(DeclaredPlace(type: model, position: position))
                }
            }
            return sum
        case (.object(let members), .model(let model)):
            return members.reduce(1) { $0 + size($1.value, types[model].elements ?? .any) }
        case (.object(let members), _): return members.reduce(1) { $0 + size($1.value, .any) }
        default: return 1
        }
    }
}
