// SPDX-License-Identifier: MIT
// The model types of one tree. Knows nothing of models, nor of where the declarations came from.

/// One property that a model type declares.
final class DeclaredProperty {
    let name: NameID
    /// The name as text.
    let text: String
    let declared: Declared
    /// What stands there if nothing is given.
    let initial: Value?
    /// The same as JSON.
    let initialText: [UInt8]
    /// How it is computed.
    let template: Template?
    /// The same made ready, once all types are declared.
    var computation: Computation?

    init(
        name: NameID,
        text: String,
        declared: Declared,
        initial: Value? = nil,
        template: Template? = nil
    ) {
        self.name = name
        self.text = text
        self.declared = declared
        self.initial = initial
        initialText = initial.map { Array($0.json.utf8) } ?? []
        self.template = template
    }

    var isComputed: Bool { declared.traits.contains(.computed) }
}

/// What the models of one type have.
final class ModelType {
    /// As it is written: `Player`, `[String: Int]`.
    let name: String
    /// What stands under each name that is not declared; nil where there are none but those.
    ///
    /// Models of an open type are made without its declared properties, and any of theirs may be taken away: so it is
    /// with dictionaries, and with the set of roots.
    let elements: ValueType?
    /// The type whose properties it has as well: that of a Swift class's superclass.
    var parent: TypeID = .noRecord
    /// Another type has this one's properties, and more.
    var isExtended = false
    /// Whether an object in JSON can become a model of the type.
    var isCreatable = true
    /// In the order in which a new model gets them.
    private(set) var properties: [DeclaredProperty] = []
    private var index: [NameID: Int] = [:]
    /// The names in the same order: a few are compared faster than they are hashed.
    private var names: ContiguousArray<NameID> = []
    private static let fewest = 16

    init(name: String, elements: ValueType? = nil) {
        self.name = name
        self.elements = elements
    }

    var isOpen: Bool { elements != nil }

    /// Adds a property, or declares one anew.
    func declare(_ property: DeclaredProperty) {
        if let known = index[property.name] {
            properties[known] = property
        } else {
            index[property.name] = properties.count
            names.append(property.name)
            properties.append(property)
        }
    }

    /// Lets the property hold anything, and nothing at first: its declaration is at fault.
    func loosen(_ position: Int) {
        let property = properties[position]
        properties[position] = DeclaredProperty(
            name: property.name,
            text: property.text,
            declared: Declared(type: .any, traits: .fixed)
        )
    }

    func position(of name: NameID) -> Int? {
        names.count <= Self.fewest ? names.firstIndex(of: name) : index[name]
    }

    /// What is declared under that name, which may be one that nobody has used yet; nil if there can be none.
    func declared(_ name: NameID?) -> Declared? {
        if let name, let known = position(of: name) { return properties[known].declared }
        return elements.map { Declared(type: $0) }
    }
}

/// All model types, numbered.
///
/// - Threading: none of its own; its owner is its only user.
struct TypeTable {
    private var types: [ModelType] = []
    private var named: [String: TypeID] = [:]
    private var dictionaries: [ValueType: TypeID] = [:]
    private(set) var refinements: [Refinement] = []

    subscript(type: TypeID) -> ModelType { types[type.index] }

    var ids: [TypeID] { types.indices.map { TypeID(Int32($0)) } }

    /// The declared type of that name.
    func find(_ name: String) -> TypeID? { named[name] }

    /// The declared types' names.
    var names: [String] { types.filter { named[$0.name] != nil }.map(\.name) }

    mutating func add(_ type: ModelType, isNamed: Bool = false) -> TypeID {
        let id = TypeID(Int32(types.count))
        types.append(type)
        if isNamed { named[type.name] = id }
        return id
    }

    /// The type of the models whose properties are all of that type.
    mutating func dictionary(of element: ValueType) -> TypeID {
        if let known = dictionaries[element] { return known }
        let fresh = add(ModelType(name: "[String: \(text(of: element))]", elements: element))
        dictionaries[element] = fresh
        return fresh
    }

    /// The type of those values of another one.
    mutating func add(_ refinement: Refinement) -> ValueType {
        refinements.append(refinement)
        return .refined(Int32(refinements.count - 1))
    }

    /// Whether models of the type have all that those of `wanted` have.
    func isKind(_ type: TypeID, of wanted: TypeID) -> Bool {
        var next = type
        while next != .noRecord {
            if next == wanted { return true }
            next = self[next].parent
        }
        return false
    }

    /// The type in Swift's notation.
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
}
