// SPDX-License-Identifier: MIT
// Declared types as Swift classes for `DaemonClient.mirror`. Independent of the daemon.

import ObserveCore

extension DescribedTypes {
    /// The classes of all types, as a source file. A property that a class can't have is a comment.
    var swiftSource: String {
        (["import ObserveCore\n"] + types.map { $0.swiftSource(types) }).joined(separator: "\n")
    }
}

extension DescribedType {
    fileprivate func swiftSource(_ types: [DescribedType]) -> String {
        let storage = storage
        let lines = properties.map { "    \($0.swiftSource(beside: storage, types))\n" }
        return """
            final class \(name.swiftTypeName): CreatableModel {
                let observationStore = ObservationStore()
            \(lines.joined())    init() {}
            }

            """
    }

    /// The storage of a property is named like the property, with an underscore before.
    private var storage: Set<String> { Set(properties.map { "_\($0.name)" }) }

    /// A new model with a declared default. Another class can't set its read-only properties. The initializer is
    /// `.init`, since a property that is named like its type hides the type there.
    fileprivate func swiftValue(_ initial: Value?, _ types: [DescribedType]) -> String {
        let storage = storage
        let settable = properties.filter { property in
            property.hasSwiftName(beside: storage) && property.shape.swiftType != nil && !property.isReadonly
        }
        let assignments = settable.compactMap { property in
            initial?[property.name].map { value in
                let text = property.shape.swiftValue(value, types) ?? "nil"
                return "model.\(property.name.swiftName) = \(text); "
            }
        }
        let start = "let model: \(name.swiftTypeName) = .init(); "
        return assignments.isEmpty ? ".init()" : "{ \(start)\(assignments.joined())return model }()"
    }
}

extension DescribedType.Property {
    fileprivate func hasSwiftName(beside storage: Set<String>) -> Bool {
        name.isSwiftWord && !storage.contains(name)
    }

    fileprivate func swiftSource(beside storage: Set<String>, _ types: [DescribedType]) -> String {
        let left = "// \(name.printable): \(type)"
        if isComputed { return "\(left) is computed by the daemon: observe its path" }
        guard hasSwiftName(beside: storage) else { return "\(left) has a name that Swift does not have" }
        guard let swift = shape.swiftType
        else { return "\(left) has values that a class does not hold: observe its path" }
        guard !isWeak else { return "@WeakPublished var \(name.swiftName): \(swift)" }
        let access = isReadonly ? "private(set) var" : "var"
        guard let value = shape.swiftValue(initial, types)
        else { return "@Published \(access) \(name.swiftName): \(swift)" }
        return "@Published \(access) \(name.swiftName): \(swift) = \(value)"
    }
}

extension DeclaredShape {
    /// Nil if a property of a class can't have the type.
    fileprivate var swiftType: String? {
        switch self {
        case .any, .dictionary: nil
        case .bool: "Bool"
        case .string: "String"
        case .number(let isWhole, _, _): isWhole ? "Int" : "Double"
        case .model(let name): name.swiftTypeName
        case .array(let element): element.swiftType.map { "[\($0)]" }
        case .optional(let wrapped): wrapped.swiftType.map { "\($0)?" }
        }
    }

    /// The value of a new model, until the daemon's comes: its default, or that of the type. Nil for null.
    fileprivate func swiftValue(_ initial: Value?, _ types: [DescribedType]) -> String? {
        switch (self, initial) {
        case (.any, _), (.dictionary, _), (.optional, nil), (.optional, .null?): nil
        case (.optional(let wrapped), let initial): wrapped.swiftValue(initial, types)
        case (.bool, let initial): initial?.bool == true ? "true" : "false"
        case (.string, let initial): (initial?.string ?? "").debugDescription
        case (.number(let isWhole, let low, let high), let initial):
            (initial ?? DeclaredShape.nearestToZero(low, high)).numeral(isWhole: isWhole)
        case (.model(let name), let initial):
            types.first { $0.name.isExactly(name) }?.swiftValue(initial, types) ?? ".init()"
        case (.array(let element), let initial):
            "[\((initial?.array ?? []).map { element.swiftValue($0, types) ?? "nil" }.joined(separator: ", "))]"
        }
    }

    private static func nearestToZero(_ low: Value?, _ high: Value?) -> Value {
        if let low, let number = low.double, number > 0 { return low }
        if let high, let number = high.double, number < 0 { return high }
        return 0
    }
}

extension Value {
    fileprivate func numeral(isWhole: Bool) -> String { isWhole ? "\(int ?? 0)" : "\(double ?? 0)" }
}

extension String {
    private static let keywords = Set(
        """
        Any Protocol Self Type as associatedtype break case catch class continue default defer deinit do else \
        enum extension fallthrough false fileprivate for func guard if import in init inout internal \
        is let nil operator precedencegroup private protocol public repeat rethrows return self \
        static struct subscript super switch throw throws true try typealias var where while
        """.split(separator: " ").map(String.init)
    )

    fileprivate var isSwiftWord: Bool {
        wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*/) != nil
            && !["_", "observationStore", "ObservationStore"].contains(self)
    }

    /// Types of Swift and of this package, which a class of the same name would hide.
    private static let types: Set = [
        "Array", "Character", "CreatableModel", "Dictionary", "Error", "ObservationStore", "Optional",
        "Published", "Result", "Set", "Task", "Value", "WeakPublished", "_",
    ]

    /// The name of a class; the daemon does not see it.
    fileprivate var swiftTypeName: String { Self.types.contains(self) ? "\(self)Model" : swiftName }

    /// The name, in backticks if it is a word of Swift's.
    fileprivate var swiftName: String { Self.keywords.contains(self) ? "`\(self)`" : self }
}
