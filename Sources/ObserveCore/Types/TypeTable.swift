// SPDX-License-Identifier: MIT
// The model types of one tree. Independent of models, and of the source of the declarations.

final class DeclaredProperty {
    let name: NameID
    let text: String
    let declared: Declared
    /// The default.
    let initial: Value?
    /// The default as JSON.
    let initialText: [UInt8]
    /// The template of a computed property.
    let template: Template?
    /// The compiled template; nil until all types are declared.
    var computation: Computation?

    init(name: NameID, text: String, declared: Declared, initial: Value? = nil, template: Template? = nil) {
        self.name = name
        self.text = text
        self.declared = declared
        self.initial = initial
        initialText = initial.map { Array($0.json.utf8) } ?? []
        self.template = template
    }

    var isComputed: Bool { declared.traits.contains(.computed) }
}

final class ModelType {
    /// The name as written: `Player`, `[String: Int]`.
    let name: String
    /// The type of each property that is not declared; nil if the type forbids other properties.
    ///
    /// Dictionaries, the set of roots, and types of which kept state has only the name are open. New models of an open type
    /// lack its declared properties, and clients may remove any of their properties.
    let elements: ValueType?
    /// Whether an open type takes its declared names alone, as a closed set of roots does.
    var isClosed = false
    /// The type whose properties it inherits, as a Swift class does from its superclass.
    var parent: TypeID = .noRecord
    /// Whether another type inherits this one's properties.
    var isExtended = false
    /// Whether an object in JSON can become a model of the type.
    var isCreatable = true
    /// The properties in the order in which a new model receives them.
    private(set) var properties: [DeclaredProperty] = []
    private var index: [NameID: Int] = [:]
    /// The names in the same order: comparing a few is faster than hashing one.
    private var names: ContiguousArray<NameID> = []
    private static let fewest = 16

    init(name: String, elements: ValueType? = nil) {
        self.name = name
        self.elements = elements
    }

    var isOpen: Bool { elements != nil }

    func declare(_ property: DeclaredProperty) {
        if let known = index[property.name] {
            properties[known] = property
        } else {
            index[property.name] = properties.count
            names.append(property.name)
            properties.append(property)
        }
    }

    /// Lets a property with a faulty declaration take any value, without a default.
    func loosen(_ position: Int) {
        let property = properties[position]
        let any = Declared(type: .any, traits: .fixed)
        properties[position] = DeclaredProperty(name: property.name, text: property.text, declared: any)
    }

    func position(of name: NameID) -> Int? {
        names.count <= Self.fewest ? names.firstIndex(of: name) : index[name]
    }

    /// The declaration of a property name, which may be unused so far; nil if the type forbids it.
    func declared(_ name: NameID?) -> Declared? {
        if let name, let known = position(of: name) { return properties[known].declared }
        return isClosed ? nil : elements.map { Declared(type: $0) }
    }
}

struct DeclaredPlace: Hashable {
    let type: TypeID
    let position: Int
}

struct TypeTable {
    /// The types that names mean. Models may have types of an earlier generation, until they get others.
    struct Generation {
        fileprivate var named: [String: TypeID] = [:]
        fileprivate var dictionaries: [String: TypeID] = [:]

        func find(_ name: String) -> TypeID? { named[name] }
    }

    private var types: [ModelType] = []
    /// The numbers of freed types and refinements.
    private var free: (types: [TypeID], refinements: [Int32]) = ([], [])
    private(set) var generation = Generation()
    private(set) var refinements: [Refinement] = []
    /// The refinements that declarations name: equal names are one type.
    private var declared: [String: ValueType] = [:]

    subscript(type: TypeID) -> ModelType { types[type.index] }

    subscript(place: DeclaredPlace) -> DeclaredProperty { self[place.type].properties[place.position] }

    var ids: [TypeID] { types.indices.map { TypeID(Int32($0)) } }

    func find(_ name: String) -> TypeID? { generation.named[name] }

    /// The declared types that the fault of an unknown one may suggest, in order. None of very many: as many may be unknown.
    var suggestions: [String] {
        generation.named.count > 1000 ? [] : generation.named.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Makes names mean the types of that generation. Returns the former one, whose types keep their numbers.
    @discardableResult
    mutating func select(_ other: Generation) -> Generation { exchange(&generation, with: other) }

    mutating func add(_ type: ModelType, isNamed: Bool = false) -> TypeID {
        let id = free.types.popLast() ?? TypeID(index: types.count)
        if id.index < types.count { types[id.index] = type } else { types.append(type) }
        if isNamed { generation.named[type.name] = id }
        return id
    }

    /// The type of models whose properties all have the type `element`.
    mutating func dictionary(of element: ValueType) -> TypeID {
        let name = "[String: \(text(of: element))]"
        if let known = generation.dictionaries[name] { return known }
        let fresh = add(ModelType(name: name, elements: element))
        generation.dictionaries[name] = fresh
        return fresh
    }

    func isDictionary(_ type: TypeID) -> Bool { self[type].name.utf8.first == UInt8(ascii: "[") }

    mutating func add(_ refinement: Refinement) -> ValueType {
        let number = free.refinements.popLast() ?? Int32(refinements.count)
        if number < refinements.count {
            refinements[Int(number)] = refinement
        } else {
            refinements.append(refinement)
        }
        return .refined(number)
    }

    mutating func declare(_ refinement: Refinement) -> ValueType {
        if let known = declared[refinement.name] { return known }
        let fresh = add(refinement)
        declared[refinement.name] = fresh
        return fresh
    }

    /// The type with all values of a refinement's base.
    func unrefined(_ type: ValueType) -> ValueType {
        if case .refined(let number) = type { refinements[Int(number)].base } else { type }
    }

    /// Whether models of `type` have all properties of `wanted`: it is that type, or inherits from it.
    func isKind(_ type: TypeID, of wanted: TypeID) -> Bool {
        var next = type
        while next != .noRecord {
            if next == wanted { return true }
            next = self[next].parent
        }
        return false
    }

    func text(of type: ValueType) -> String {
        switch type {
        case .any: "Any"
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .model(let id): self[id].name
        case .array(let element): "[\(text(of: element))]"
        case .optional(let wrapped): "\(text(of: wrapped))?"
        case .refined(let number): refinements[Int(number)].name
        }
    }

    /// The declared type of that name, or the dictionary type that a declaration names so.
    func knownType(_ name: String) -> TypeID? { find(name) ?? generation.dictionaries[name] }

    /// The known type of that name, or the dictionary type that the name spells.
    mutating func restoredType(_ name: String) -> TypeID? {
        if let known = knownType(name) { return known }
        guard case .model(let type)? = try? TypeNotation.parse(name, in: &self).type else { return nil }
        return type
    }

    /// The present type of that one's name, if it is a declared one; `noRecord` otherwise.
    func successor(of type: TypeID) -> TypeID {
        guard type != .noRecord, !isDictionary(type) else { return .noRecord }
        return find(self[type].name) ?? .noRecord
    }
}

extension TypeTable {
    /// Frees all types but these, those of the present generation, and those that they name. Returns the freed ones.
    mutating func free(allBut used: Set<TypeID>) -> [ModelType] {
        var open = Array(used) + generation.named.values + generation.dictionaries.values
        var kept: (types: Set<TypeID>, refinements: Set<Int32>) = ([], [])
        func keep(_ type: ValueType) {
            switch type {
            case .model(let id): open.append(id)
            case .array(let inner), .optional(let inner): keep(inner)
            case .refined(let number): kept.refinements.insert(number)
            case .any, .bool, .int, .double, .string: break
            }
        }
        while let id = open.popLast() {
            guard id != .noRecord, kept.types.insert(id).inserted else { continue }
            open.append(self[id].parent)
            if let elements = self[id].elements { keep(elements) }
            for property in self[id].properties { keep(property.declared.type) }
        }
        free.types = ids.filter { !kept.types.contains($0) }
        free.refinements = (0..<Int32(refinements.count)).filter { !kept.refinements.contains($0) }
        for number in free.refinements where declared[refinements[Int(number)].name] == .refined(number) {
            declared[refinements[Int(number)].name] = nil
        }
        return free.types.map { id in
            defer { types[id.index] = ModelType(name: "") }
            return self[id]
        }
    }
}
