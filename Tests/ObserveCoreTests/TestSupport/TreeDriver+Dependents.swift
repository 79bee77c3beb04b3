// SPDX-License-Identifier: MIT
// Bindings and computed properties for a driven tree, given as text.

import Testing

@testable import ObserveCore

extension TreeDriver {
    /// Makes a binding in its own commit; returns its number.
    @discardableResult
    func bind(_ source: String, _ target: String, twoWay: Bool = false) throws -> Int32 {
        let (from, to) = (ParsedKeyPath(maxDepth: 64), ParsedKeyPath(maxDepth: 64))
        try from.parse(dotted: source)
        try to.parse(dotted: target)
        var number: Int32 = 0
        try tree.commit { () throws(TreeError) in
            number = try tree.addBinding(from, to: to, isTwoWay: twoWay)
        }
        return number
    }

    /// Adds a computed property to the model at `path`, in its own commit.
    func compute(_ path: String, _ name: String, _ template: String) throws {
        try tree.compute(path, name, template)
    }

    @discardableResult
    func unbind(_ number: Int32) throws -> Bool { tree.removeBinding(number) }

    func insert(_ path: String, _ json: String, at index: Int) throws {
        try commit([.insert(path: path, json: json, index: index)])
    }

    /// The numbers of the failing bindings.
    var failing: [Int32] { tree.allBindings.filter { $0.failure != nil }.map(\.number) }

    /// The current value of each path.
    func values(_ paths: String...) throws -> [String] { try paths.map(get) }
}

extension ModelTree {
    /// Adds a computed property to the model at `path`, as a type does, in its own commit.
    func compute(_ path: String, _ name: String, _ template: String) throws {
        let owner = ParsedKeyPath(maxDepth: 64)
        try owner.parse(dotted: path)
        let model = try #require(value(at: walk(owner)).modelID)
        let property = DeclaredProperty(
            name: ByteView.with(name) { records.names.intern($0) },
            text: name,
            declared: Declared(type: .any, traits: .computed),
            template: try Template(parsing: template, ExpressionSyntax(maxDepth: 64))
        )
        let computation = Computation(try #require(property.template), as: .any, in: &records)
        property.computation = computation
        let type = ModelType(name: "Computed")
        type.declare(property)
        _ = typing.types.add(type)
        commit { addComputed(property.name, to: model, computation) }
    }
}
