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

    /// Adds a computed property to the model at `path`, as a type does, in its own commit.
    func compute(_ path: String, _ name: String, _ template: String) throws {
        let owner = ParsedKeyPath(maxDepth: 64)
        let template = try Template(parsing: template, ExpressionSyntax(maxDepth: 64))
        try owner.parse(dotted: path)
        let model = try #require(tree.value(at: tree.walk(owner)).modelID)
        let computation = tree.typing.computation(template, in: &tree.records)
        tree.commit {
            ByteView.with(name) { bytes in
                let name = tree.records.names.intern(bytes)
                tree.addComputed(name, to: model, computation)
                tree.records.names.release(name)
            }
        }
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
