// SPDX-License-Identifier: MIT
// Finds variables at the ends of paths that announce no changes. Only debug builds have it. Independent of notifications.

#if DEBUG

    extension Observer {
        /// Says so if a value comes from a variable that announces nothing: `\.player?.title` without ``Published`` before it.
        @usableFromInline func noteEnd<Value>(_ value: Value) {
            for model in ends {
                guard let name = UnannouncedVariables.name(in: model, holding: value) else { continue }
                DeveloperNote.say(
                    "an observation ends at \(type(of: model)).\(name), which is not published, so it is never notified of its changes"
                )
            }
        }

        /// Says so if a two-way binding reads nothing of its target.
        func noteSilence(of target: some ObservableModel) {
            guard !reads(target) else { return }
            DeveloperNote.say(
                "a two-way binding reads no published property of \(type(of: target)), so it never copies from there"
            )
        }

        /// The models to which its expression leads, if they are few, and of which it reads nothing.
        private var ends: [any ObservableModel] {
            let properties = dependencies.properties
            guard properties.count <= 16 else { return [] }
            return properties.compactMap { $0.leadsOn ? $0.value as? any ObservableModel : nil }.filter {
                !reads($0)
            }
        }

        // Not inlined, as in `ObjectWillChangePublisher`.
        @inline(never) private func reads(_ model: any ObservableModel) -> Bool {
            dependencies.properties.contains { $0.store == model.observationStore.core }
        }
    }

    extension ObservedProperty {
        fileprivate var value: Any? {
            guard let model = store.model as? any ObservableModel else { return nil }
            return model.propertyTable.index(of: key).map {
                model.propertyTable.value(ofProperty: $0, of: model)
            }
        }
    }

    enum UnannouncedVariables {
        /// The name of the stored variable of `model` that has the type and the value of `value`, which may be optional.
        static func name<Value>(in model: any ObservableModel, holding value: Value) -> String? {
            let type = (Value.self as? any OptionalHolder.Type)?.held ?? Value.self
            var mirror: Mirror? = Mirror(reflecting: model)
            var names: [String: Any] = [:]
            while let level = mirror {
                for case (let name?, let value) in level.children { names[name] = value }
                mirror = level.superclassMirror
            }
            return variables(of: Swift.type(of: model)).first { name, found in
                guard found == Value.self || found == type, let held = names[name] as? Value
                else { return false }
                let equality = Equality<Value>()
                return !equality.isKnown || equality.isEqual(held, value)
            }?.name
        }

        /// The stored variables of a class, those of its superclasses first.
        private static func variables(of type: any Any.Type) -> [(name: String, type: any Any.Type)] {
            (0..<fieldCount(type)).compactMap { index in
                var field = unsafe FieldMetadata()
                let type = unsafe childMetadata(of: type, index: index, fieldMetadata: &field)
                defer { unsafe field.free?(field.name) }
                guard unsafe field.isVariable, let name = unsafe field.name else { return nil }
                return (unsafe String(cString: name), type)
            }
        }
    }

    // What `Mirror` itself asks. It does not tell constants from variables.

    @unsafe private struct FieldMetadata {
        var name: UnsafePointer<CChar>?
        var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
        var isStrong = false
        var isVariable = false
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    private func fieldCount(_ type: any Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private func childMetadata(
        of type: any Any.Type,
        index: Int,
        fieldMetadata: UnsafeMutablePointer<FieldMetadata>
    ) -> any Any.Type

#endif
