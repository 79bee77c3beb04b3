// SPDX-License-Identifier: MIT
// Finds types whose models would contain each other without end, and endless defaults. Makes no models.

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
                recursion.follow(DeclaredPlace(type: type, position: position))
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

    /// Follows the required models of the type's properties. No recursion, since chains may have any length.
    private mutating func follow(_ first: TypeID) {
        guard entered[first] == nil else { return }
        entered[first] = true
        var way = [(type: first, position: 0)]
        while let (type, position) = way.last {
            guard position < types[type].properties.count else {
                entered[type] = false
                way.removeLast()
                continue
            }
            way[way.count - 1].position += 1
            let property = types[type].properties[position]
            guard case .model(let next) = property.declared.type, !property.isComputed, !types[next].isOpen
            else { continue }
            if entered[next] == true {
                let (place, name) = (DeclaredPlace(type: type, position: position), types[next].name)
                report(place, [], "every \(name) would need another in it, expected an optional on the way")
            } else if entered[next] == nil {
                entered[next] = true
                way.append((next, 0))
            }
        }
    }

    // MARK: Defaults that make models with defaults

    /// Finds how many values the default of the place makes, after those of the places in it. No recursion here, either.
    private mutating func follow(_ first: DeclaredPlace) {
        var way = [first]
        while let place = way.last {
            let property = types[place]
            guard let initial = property.initial, !property.isComputed else {
                sizes[place] = .done(1)
                way.removeLast()
                continue
            }
            switch sizes[place] {
            case .done: way.removeLast()
            case .underWay:
                way.removeLast()
                let size = size(initial, property.declared.type) { _ in }
                // One that is too large counts as one value, so that no place that contains it is reported as well.
                sizes[place] = .done(size > Self.maxValues ? 1 : size)
                if size > Self.maxValues {
                    report(place, ["default"], "this default makes more than \(Self.maxValues) values")
                }
            case nil:
                sizes[place] = .underWay
                var inner: [DeclaredPlace] = []
                _ = size(initial, property.declared.type) { inner.append($0) }
                for place in inner.reversed() {
                    switch sizes[place] {
                    case .done: break
                    case .underWay: report(place, ["default"], "this default makes itself again, without end")
                    case nil: way.append(place)
                    }
                }
            }
        }
    }

    /// How many values that value makes. Calls `visit` with each place whose default it needs; an unknown one counts as one.
    private func size(_ value: Value, _ type: ValueType, _ visit: (DeclaredPlace) -> Void) -> Int {
        switch (value, type.wrapped) {
        case (.array(let elements), _): return elements.reduce(1) { $0 + size($1, type.element, visit) }
        case (.object(let members), .model(let model)) where !types[model].isOpen:
            var sum = 1
            for (position, property) in types[model].properties.enumerated() {
                if let given = members[property.text] {
                    sum += size(given, property.declared.type, visit)
                } else {
                    let place = DeclaredPlace(type: model, position: position)
                    visit(place)
                    if case .done(let size) = sizes[place] { sum += size } else { sum += 1 }
                }
            }
            return sum
        case (.object(let members), .model(let model)):
            return members.reduce(1) { $0 + size($1.value, types[model].elements ?? .any, visit) }
        case (.object(let members), _): return members.reduce(1) { $0 + size($1.value, .any, visit) }
        default: return 1
        }
    }
}
