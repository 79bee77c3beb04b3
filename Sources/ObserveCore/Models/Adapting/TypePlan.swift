// SPDX-License-Identifier: MIT
// What other declared types do to a tree: changes without loss, and misfits. Data only.

/// A plan to give a tree other declared types. Valid until the tree changes, or makes another plan.
package struct TypePlan {
    let declarations: TypeDeclarations
    let generation: TypeTable.Generation
    /// The new types of models whose type changes.
    var retyped: [(model: ModelID, type: TypeID)] = []
    var changes: [PlannedChange] = []
    /// Bindings that the declared types no longer permit.
    var unbound: [Int32] = []
    /// What the tree refuses of the declarations. Another tree may have taken them, under other limits.
    package internal(set) var faults: [DeclarationFault] = []
    /// The places that do not fit.
    package internal(set) var misfits = MisfitList()
    /// The effects without loss, for the log.
    package internal(set) var summary: [TypeChangeLine] = []
}

enum PlannedChange {
    case assignment(PropertyID, StoredValue, isWeak: Bool)
    case removal(PropertyID)
    /// The shadowed values of a property; the property's own value has a change of its own.
    case stack(PropertyID, [StackedValue])
    /// The property gets its default, below its temporary values if it has any.
    case initial(ModelID, DeclaredProperty)
    /// The property gets its default in the place of all its values.
    case reset(PropertyID, DeclaredProperty)
}

package struct TypeChangeLine: Equatable, Sendable {
    package let text: String
    package let isWarning: Bool
}

/// A place that does not fit the declared types.
package struct Misfit: Equatable, Sendable {
    /// The place, and why it does not fit.
    package let reason: String
    /// How to make it fit.
    package let advice: String

    package var description: String { "\(reason): \(advice)" }
}

/// All misfits of a plan: how many of each kind, and the first of them with their places.
package struct MisfitList {
    package static let most = 20

    package private(set) var count = 0
    package private(set) var first: [Misfit] = []
    private var kinds: [(remedy: String, count: Int)] = []
    private var index: [String: Int] = [:]

    /// Whether the next misfit has a place.
    var hasRoom: Bool { first.count < MisfitList.most }

    package var isEmpty: Bool { count == 0 }

    /// - Parameter remedy: what adapting does to such places, as `Film.year is reset to 0`.
    mutating func add(_ remedy: String, _ misfit: Misfit?) {
        if let misfit { first.append(misfit) }
        count += 1
        if let known = index[remedy] {
            kinds[known].count += 1
        } else {
            index[remedy] = kinds.count
            kinds.append((remedy, 1))
        }
    }

    /// One line for each kind of what adapting drops or resets.
    package var remedies: [String] {
        kinds.map { "\($0.remedy) in \($0.count) \($0.count == 1 ? "place" : "places")" }
    }
}
