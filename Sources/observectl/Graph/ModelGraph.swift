// SPDX-License-Identifier: MIT
// The daemon's models and the references between them, at one revision. Independent of connections and views.

import ObserveCore

/// Models by their identity, so that a shared one is there once, however many paths lead to it.
struct ModelGraph: Sendable {
    /// The identity that the daemon gives a model. 0 is the set of roots.
    struct Instance: Hashable, Sendable, ExpressibleByIntegerLiteral {
        let number: Int64

        init(_ number: Int64) { self.number = number }
        init(integerLiteral number: Int64) { self.number = number }
    }

    enum Content: Equatable, Sendable {
        case scalar(Value)
        case list([Content])
        case model(Instance)
        /// A reference that keeps nothing alive; nil if its model has gone.
        case weak(Instance?)
        /// A computed value; nil while it is unknown.
        case computed(Value?)
    }

    struct Property: Equatable, Sendable {
        let name: String
        var content: Content
    }

    struct Model: Equatable, Sendable {
        /// The declared type; nil for an open model.
        var type: String?
        var properties: [Property] = []
    }

    /// A property of a model, or an element below it.
    struct Place: Hashable, Sendable {
        let instance: Instance
        private let member: MemberName
        var indexes: [Int]

        init(instance: Instance, name: String, indexes: [Int] = []) {
            (self.instance, member, self.indexes) = (instance, MemberName(name), indexes)
        }

        var name: String { member.text }
    }

    /// A temporary value, or the permanent one below it.
    struct Layer: Equatable, Sendable {
        enum End: Equatable, Sendable {
            case permanent, connection
            /// Milliseconds since 1970.
            case time(Int64)
        }

        /// Nil for the value that shows: it is the property's.
        let value: Content?
        let end: End
    }

    struct Binding: Sendable {
        let number: Int64
        let source: String
        let target: String
        let isTwoWay: Bool
    }

    var models: [Instance: Model] = [0: Model()]
    /// The stacks of temporary values, the permanent value first.
    var layers: [Place: [Layer]] = [:]
    var bindings: [Binding] = []
    /// The path of the model that holds the roots; empty if they are the daemon's.
    var base = ""
    /// Roots that the client may not read as a whole.
    var deniedRoots: [String] = []

    func content(at place: Place) -> Content? {
        let property = models[place.instance]?.properties.first { $0.name.isExactly(place.name) }
        guard var content = property?.content else { return nil }
        for index in place.indexes {
            guard case .list(let elements) = content, elements.indices.contains(index) else { return nil }
            content = elements[index]
        }
        return content
    }

    /// The place that the names of a path lead to; nil if they lead nowhere.
    func place(of names: [String]) -> Place? {
        let start = base.isEmpty ? [] : GraphPaths.names(of: base) ?? []
        guard names.starts(with: start) else { return nil }
        var place: Place?
        var content = Content.model(0)
        for name in names.dropFirst(start.count) {
            switch content {
            case .model(let instance), .weak(let instance?):
                let next = Place(instance: instance, name: name)
                guard let found = self.content(at: next) else { return nil }
                (place, content) = (next, found)
            case .list(let elements):
                guard let index = Int(name), String(index) == name, elements.indices.contains(index)
                else { return nil }
                place?.indexes.append(index)
                content = elements[index]
            case .scalar, .weak(nil), .computed: return nil
            }
        }
        return place
    }

    /// Assigns a value without models in it, where there was one before. False, with nothing changed, if models change.
    mutating func assign(_ value: Value, at place: Place) -> Bool {
        guard let new = Content(flat: value), let old = content(at: place), old.isFlat else { return false }
        replace(at: place, with: new)
        return true
    }

    mutating func replace(at place: Place, with new: Content) {
        let position = models[place.instance]?.properties.firstIndex { $0.name.isExactly(place.name) }
        guard let position else { return }
        models[place.instance]?.properties[position].content.replace(place.indexes[...], with: new)
    }
}

extension ModelGraph.Content {
    /// A value without models; nil for others.
    init?(flat value: Value) {
        switch value {
        case .object: return nil
        case .array(let elements):
            let contents = elements.compactMap(Self.init(flat:))
            guard contents.count == elements.count else { return nil }
            self = .list(contents)
        default: self = .scalar(value)
        }
    }

    var isFlat: Bool {
        switch self {
        case .scalar: true
        case .list(let elements): elements.allSatisfy(\.isFlat)
        case .model, .weak, .computed: false
        }
    }

    /// The value of flat and computed contents; nil for others.
    var value: Value? {
        switch self {
        case .scalar(let value), .computed(let value?): value
        case .list(let elements):
            elements.reduce(into: Optional([Value]())) { values, element in
                if let value = element.value { values?.append(value) } else { values = nil }
            }.map(Value.array)
        case .model, .weak, .computed(nil): nil
        }
    }

    fileprivate mutating func replace(_ indexes: ArraySlice<Int>, with new: Self) {
        guard let index = indexes.first else { return self = new }
        guard case .list(var elements) = self, elements.indices.contains(index) else { return }
        elements[index].replace(indexes.dropFirst(), with: new)
        self = .list(elements)
    }
}
