// SPDX-License-Identifier: MIT
// Declares the classes of Swift models as types of the tree.

extension HostedModels {
    /// Declares the class as a type of the tree, with all classes that its properties lead to.
    func declare(_ type: any ObservableModel.Type) -> HostedClass {
        if let known = classes[ObjectIdentifier(type)] { return known }
        // Registers all classes before it describes one: they may refer to each other.
        var undescribed: [HostedClass] = []
        let wanted = register(type, &undescribed)
        var index = 0
        while index < undescribed.count {
            describe(undescribed[index], &undescribed)
            index += 1
        }
        // Defaults last, as building one needs all the types in it.
        for hosted in undescribed { declareProperties(of: hosted) }
        return wanted
    }

    /// The properties that the tree can't show, of the class and of all classes that its properties lead to.
    func faults(of hosted: HostedClass) -> [(property: String, type: any Any.Type)] {
        var seen: Set<TypeID> = [hosted.type]
        var pending = [hosted]
        var faults: [(property: String, type: any Any.Type)] = []
        while let next = pending.popLast() {
            faults += next.faults
            for property in next.properties {
                guard let type = property?.shape.modelType, let below = classes[ObjectIdentifier(type)]
                else { continue }
                if seen.insert(below.type).inserted { pending.append(below) }
            }
        }
        return faults
    }

    func register(_ type: any ObservableModel.Type, _ undescribed: inout [HostedClass]) -> HostedClass {
        if let known = classes[ObjectIdentifier(type)] { return known }
        let short = "\(type)"
        let name = tree.typing.types.find(short) == nil ? short : String(reflecting: type)
        let modelType = ModelType(name: name)
        modelType.isCreatable = type is any CreatableModel.Type
        let number = tree.typing.types.add(modelType, isNamed: tree.typing.types.find(name) == nil)
        let hosted = HostedClass(type, number: number)
        classes[ObjectIdentifier(type)] = hosted
        classesByType[number] = hosted
        undescribed.append(hosted)
        if let parent = _getSuperclass(type) as? any ObservableModel.Type {
            let above = register(parent, &undescribed)
            modelType.parent = above.type
            tree.typing.types[above.type].isExtended = true
        }
        return hosted
    }

    func describe(_ hosted: HostedClass, _ undescribed: inout [HostedClass]) {
        for (index, property) in hosted.table.properties.enumerated() {
            guard let shape = HostedShape(property.valueType) else {
                hosted.faults.append(("\(hosted.swiftType).\(property.name)", property.valueType))
                hosted.properties.append(nil)
                continue
            }
            if let model = shape.modelType { _ = register(model, &undescribed) }
            let name = ByteView.with(property.name) { tree.records.names.intern($0) }
            hosted.properties.append(HostedProperty(name: name, shape: shape, isWeak: property.isWeak))
            hosted.places[name] = index
        }
    }

    func declareProperties(of hosted: HostedClass) {
        var seen: Set<ObjectIdentifier> = []
        // A class that is not creatable has no default values.
        let initial = hosted.make.map { initialValues(of: $0(), hosted, &seen) }
        for (index, property) in hosted.table.properties.enumerated() {
            guard let shown = hosted.properties[index] else { continue }
            let traits: Declared.Traits = shown.isWeak ? [.fixed, .weak] : .fixed
            let type = Declared(type: valueType(of: shown.shape), traits: traits)
            tree.typing.types[hosted.type].declare(
                DeclaredProperty(
                    name: shown.name,
                    text: property.name,
                    declared: type,
                    initial: initial?[index]
                )
            )
        }
    }

    func valueType(of shape: HostedShape) -> ValueType {
        switch shape {
        case .model(let type): .model(declare(type).type)
        case .optional(_, let wrapped): valueType(of: wrapped).madeOptional
        case .array(_, let element): .array(valueType(of: element))
        case .scalar(let scalar): valueType(of: scalar)
        }
    }

    func valueType(of scalar: any ModelValue.Type) -> ValueType {
        let base: ValueType =
            switch scalar.modelValueKind {
            case .bool: .bool
            case .int: .int
            case .double: .double
            case .string: .string
            case .any: .any
            }
        let whole: [any ModelValue.Type] = [Bool.self, String.self, Double.self, Int.self, Int64.self]
        if whole.contains(where: { $0 == scalar }) { return base }
        if let known = refinements[ObjectIdentifier(scalar)] { return known }
        let refinement = Refinement(name: "\(scalar)", base: base) { stored in
            stored.scalar.flatMap { scalar.init(modelValue: $0) } != nil
        }
        let refined = tree.typing.types.add(refinement)
        refinements[ObjectIdentifier(scalar)] = refined
        return refined
    }

    func initialValues(
        of object: any ObservableModel,
        _ hosted: HostedClass,
        _ seen: inout Set<ObjectIdentifier>
    ) -> [Value?] {
        seen.insert(ObjectIdentifier(object))
        return hosted.properties.enumerated().map { index, property in
            guard let property, !property.isWeak else { return nil }
            return initialValue(hosted.table.value(ofProperty: index, of: object), property.shape, &seen)
        }
    }

    func initialValue(_ value: Any, _ shape: HostedShape, _ seen: inout Set<ObjectIdentifier>) -> Value {
        switch shape {
        case .scalar: return (value as? any ModelValue)?.modelValue ?? .null
        case .optional(let type, let wrapped):
            return type.unwrap(value).map { initialValue($0, wrapped, &seen) } ?? .null
        case .array(let type, let element):
            return .array(type.elements(value).map { initialValue($0, element, &seen) })
        case .model:
            guard let object = value as? any ObservableModel, !seen.contains(ObjectIdentifier(object))
            else { return .null }
            let hosted = declare(type(of: object))
            let values = initialValues(of: object, hosted, &seen)
            var members = ValueMembers()
            for (index, value) in values.enumerated() {
                guard let value, let name = hosted.properties[index]?.name else { continue }
                members[tree.records.names.text(name).string] = value
            }
            return .object(members)
        }
    }
}
