// SPDX-License-Identifier: MIT
// Converts key paths between text and lists of names, for rare use. Independent of models.

package enum DottedKeyPath {
    /// The path in dotted form, with escapes.
    package static func text(of names: [String]) -> String {
        let out = ByteBuffer()
        for (index, name) in names.enumerated() {
            if index > 0 { out.append(0x2E) }
            ByteView.with(name) { out.appendEscaped(name: $0) }
        }
        return out.string
    }

    /// The unescaped names along a path; nil if it has a wildcard or an operator.
    package static func literalNames(of text: String, maxDepth: Int) throws(KeyPathError) -> [String]? {
        let path = ParsedKeyPath(maxDepth: maxDepth)
        try path.parse(dotted: text)
        guard path.isLiteral else { return nil }
        return (0..<path.count).map { path.name($0).string }
    }

    /// The path, which may be a pattern, in dotted form.
    package static func text(of components: [Component]) -> String {
        components.map { component in
            switch component {
            case .name(let name): text(of: [name])
            case .collectionOperator(let name), .selection(let name): name
            case .anyName: "*"
            case .anyDepth: "**"
            }
        }.joined(separator: ".")
    }

    /// The path in the form that answers and events have; the text itself if it is not a key path.
    package static func canonical(_ text: String) -> String {
        (try? components(of: text, maxDepth: .max)).map { self.text(of: $0) } ?? text
    }

    /// A component of a path that may be a pattern.
    package enum Component: Equatable, Sendable {
        case name(String)
        /// `*`
        case anyName
        /// `**`
        case anyDepth
        /// With its `@`.
        case collectionOperator(String)
        /// A choice, or any component with a condition, in dotted form.
        case selection(String)

        /// Compares names by their bytes. `String` would take canonically equivalent ones for equal.
        package static func == (left: Component, right: Component) -> Bool {
            switch (left, right) {
            case (.name(let a), .name(let b)), (.collectionOperator(let a), .collectionOperator(let b)),
                (.selection(let a), .selection(let b)):
                a.utf8.elementsEqual(b.utf8)
            case (.anyName, .anyName), (.anyDepth, .anyDepth): true
            default: false
            }
        }

        /// Whether it stands for any number of names.
        package var isWildcard: Bool {
            switch self {
            case .anyName, .anyDepth: true
            case .selection(let text): text.hasPrefix("*[")
            case .name, .collectionOperator: false
            }
        }

        /// Whether it is that component of a path that matches a pattern, or the wildcard for it.
        package func matches(_ other: Component) -> Bool {
            if self == .anyName || self == other { return true }
            guard isWildcard, case .selection(let pattern) = self, case .selection(let text) = other
            else { return false }
            return text.utf8.reversed().starts(with: pattern.utf8.dropFirst().reversed())
        }
    }

    /// - Parameter areWhole: false for components without their conditions, with a wildcard for each choice.
    package static func components(
        of text: String,
        maxDepth: Int,
        areWhole: Bool = true
    ) throws(KeyPathError) -> [Component] {
        let path = ParsedKeyPath(maxDepth: maxDepth)
        try path.parse(dotted: text)
        return (0..<path.count).map { index in
            if areWhole, path.isSelection(index) { return .selection(path.escaped(index)) }
            switch path.kind(index) {
            case .name: return .name(path.name(index).string)
            case .anyName, .choice: return .anyName
            case .anyDepth: return .anyDepth
            case .collectionOperator: return .collectionOperator(path.name(index).string)
            }
        }
    }

    /// The name of the root of a path that may have an operator; nil if it has a wildcard.
    package static func readableRoot(of text: String, maxDepth: Int) throws(KeyPathError) -> String? {
        let path = ParsedKeyPath(maxDepth: maxDepth)
        try path.parse(dotted: text)
        return path.hasWildcard ? nil : path.name(0).string
    }
}
