// SPDX-License-Identifier: MIT
// Sets of Unicode scalars in regular expressions. Independent of the expressions' syntax.

/// A set of scalars: ranges and properties, perhaps all others.
struct ScalarClass: Equatable {
    enum Property: Equatable {
        case digit, word, space
        /// A general category, such as `Lu`, or all that begin with its letter.
        case category(String)
    }

    struct Part: Equatable {
        var range: ClosedRange<UInt32> = 1...0x10FFFF
        var property: Property?
        var isNegated = false
    }

    var parts: [Part] = []
    var isNegated = false
    var ignoresCase = false

    /// `.`
    static let notNewline = ScalarClass(
        parts: [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029].map { Part(range: $0) },
        isNegated: true
    )

    static let any = ScalarClass(isNegated: true)

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var isIn = hasPart(scalar)
        if !isIn, ignoresCase {
            let cases = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
            isIn = cases.contains { mapping in
                let scalars = mapping.unicodeScalars
                return scalars.count == 1 && hasPart(scalars[scalars.startIndex])
            }
        }
        return isIn != isNegated
    }

    private func hasPart(_ scalar: Unicode.Scalar) -> Bool {
        parts.contains { part in
            guard let property = part.property else { return part.range.contains(scalar.value) }
            return scalar.has(property) != part.isNegated
        }
    }
}

extension ScalarClass {
    init(_ scalar: Unicode.Scalar, ignoresCase: Bool = false) {
        self.init(parts: [Part(range: scalar.value...scalar.value)], ignoresCase: ignoresCase)
    }

    init(_ property: Property, isNegated: Bool = false) {
        self.init(parts: [Part(property: property, isNegated: isNegated)])
    }
}

extension Unicode.Scalar {
    var isNewline: Bool { !ScalarClass.notNewline.contains(self) }

    var isWord: Bool {
        if value < 0x80 { return UInt8(value).isWord }
        if properties.isAlphabetic || properties.isJoinControl { return true }
        switch properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: return true
        default: return false
        }
    }

    fileprivate func has(_ property: ScalarClass.Property) -> Bool {
        switch property {
        case .digit: properties.generalCategory == .decimalNumber
        case .word: isWord
        case .space: properties.isWhitespace
        case .category(let name): properties.generalCategory.abbreviation.hasPrefix(name)
        }
    }
}

extension Unicode.GeneralCategory {
    private static let abbreviations: [(Unicode.GeneralCategory, String)] = [
        (.uppercaseLetter, "Lu"), (.lowercaseLetter, "Ll"), (.titlecaseLetter, "Lt"), (.modifierLetter, "Lm"),
        (.otherLetter, "Lo"), (.nonspacingMark, "Mn"), (.spacingMark, "Mc"), (.enclosingMark, "Me"),
        (.decimalNumber, "Nd"), (.letterNumber, "Nl"), (.otherNumber, "No"), (.connectorPunctuation, "Pc"),
        (.dashPunctuation, "Pd"), (.openPunctuation, "Ps"), (.closePunctuation, "Pe"),
        (.initialPunctuation, "Pi"), (.finalPunctuation, "Pf"), (.otherPunctuation, "Po"),
        (.mathSymbol, "Sm"), (.currencySymbol, "Sc"), (.modifierSymbol, "Sk"), (.otherSymbol, "So"),
        (.spaceSeparator, "Zs"), (.lineSeparator, "Zl"), (.paragraphSeparator, "Zp"), (.control, "Cc"),
        (.format, "Cf"), (.surrogate, "Cs"), (.privateUse, "Co"), (.unassigned, "Cn"),
    ]

    /// The two letters of Unicode's tables.
    var abbreviation: String { Unicode.GeneralCategory.abbreviations.first { $0.0 == self }?.1 ?? "Cn" }

    /// Whether some category has that name, or begins with it.
    static func isKnown(_ name: String) -> Bool {
        !name.isEmpty && abbreviations.contains { $0.1.hasPrefix(name) }
    }
}
