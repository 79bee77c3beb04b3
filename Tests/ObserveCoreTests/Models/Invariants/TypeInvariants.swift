// SPDX-License-Identifier: MIT
// Checks the declared types of every model between commits, without the tree's own checks.

@testable import ObserveCore

extension Computation {
    /// The key paths in the template.
    var paths: [ReadPath] {
        parts.flatMap { part -> [ReadPath] in
            guard case .value(let expression, _, _) = part else { return [] }
            return expression.operands.compactMap { if case .path(let path) = $0 { path } else { nil } }
        }
    }
}

extension ModelTree {
    /// The names that declarations hold.
    var declaredNames: Set<NameID> {
        var held = Set(typing.types.ids.flatMap { typing.types[$0].properties.map(\.name) })
        for computation in computations {
            for path in computation.paths {
                held.formUnion(path.allNames)
            }
        }
        return held
    }

    /// The compiled templates of the declarations.
    var computations: [Computation] {
        typing.types.ids.flatMap { typing.types[$0].properties.compactMap(\.computation) }
    }

    /// The values that break their declarations.
    func typeFaults(_ present: Set<PropertyID>) -> [String] {
        var faults: [String] = []
        var names: [ModelID: [NameID]] = [:]
        for id in present { _ = names[records.properties[id].model, default: []] }
        for model in names.keys where records.models[model].type != .noRecord {
            var id = records.models[model].first
            while id != .noRecord {
                names[model]?.append(records.properties[id].name)
                id = records.properties[id].next
            }
            let type = typing.types[records.models[model].type]
            // A property that was declared later is the last one.
            if !type.isOpen, names[model].map(Set.init) != Set(type.properties.map(\.name)) {
                faults.append("a \(type.name) with other properties than declared")
            }
        }
        for id in present { faults += fault(of: id).map { [$0] } ?? [] }
        return faults
    }

    private func fault(of id: PropertyID) -> String? {
        let name = records.names.text(records.properties[id].name).string
        let typeID = records.models[records.properties[id].model].type
        var declared = Declared.anything
        if typeID != .noRecord {
            let type = typing.types[typeID]
            if let known = type.properties.first(where: { $0.name == records.properties[id].name }) {
                declared = known.declared
            } else if let elements = type.elements {
                declared = Declared(type: elements)
            }
        }
        let flags = records.properties[id].flags
        if flags.contains(.declaredWeak) != declared.isWeak { return "\(name) is not weak as declared" }
        if flags.contains(.declared) != declared.isStrict { return "\(name) is not flagged as declared" }
        let isComputed = declared.traits.contains(.computed)
        if typeID != .noRecord, flags.contains(.computed) != isComputed {
            return "\(name) is not computed as declared"
        }
        if declared.isWeak, !flags.contains(.weak) { return "\(name) is not weak" }
        if flags.contains(.weak), !declared.type.isOptional, !isComputed {
            return "\(name) is weak and can't be null"
        }
        // A Swift reference that would close a cycle is null, whatever its type.
        if let hosted = hosted as? HostedModels,
            let place = hosted.hostedClass(of: records.properties[id].model)?.places[
                records.properties[id].name
            ],
            hosted.hidden.contains(HostedModels.Slot(model: records.properties[id].model, index: place))
        {
            return nil
        }
        // A weak reference's target can always be null.
        if isComputed, records.properties[id].value.isNull { return nil }
        return fits(records.properties[id].value, declared.type)
            ? nil : "\(name) holds another value than a \(typing.types.text(of: declared.type))"
    }

    private func fits(_ value: StoredValue, _ type: ValueType) -> Bool {
        switch (type, value) {
        case (.any, _), (.optional, .null), (.bool, .bool), (.int, .int), (.double, .double),
            (.string, .string):
            true
        case (.optional(let wrapped), _): fits(value, wrapped)
        case (.array(let element), .array(let array)): array.elements.allSatisfy { fits($0, element) }
        case (.model(let wanted), .model(let model)):
            typing.types.isKind(records.models[model].type, of: wanted)
        case (.refined(let number), _):
            fits(value, typing.types.refinements[Int(number)].base)
                && typing.types.refinements[Int(number)].accepts(value)
        default: false
        }
    }
}
