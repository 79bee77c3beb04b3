// SPDX-License-Identifier: MIT
// The formats of a value in a template, such as `:.1`. Independent of templates.

/// What a template makes of a value. If a format does not fit the value, it has no effect.
package enum ValueFormat: Equatable, Sendable {
    /// `:.1`: a number with so many decimals.
    case decimals(Int)
    /// `:20`: at most so many characters, the last one `…`.
    case length(Int)
    /// Seconds as `3:07` or `1:02:03`.
    case duration
    case json
    /// Text that shows as it is where Pango markup is read.
    case markup
    /// A format that the template's owner applies.
    case further(String)

    /// Whether it makes text that another program reads, not a person.
    var isEscape: Bool {
        switch self {
        case .markup, .further: true
        default: false
        }
    }

    init?(_ text: String, or further: [String]) {
        switch text {
        case "duration": self = .duration
        case "json": self = .json
        case "markup": self = .markup
        case _ where further.contains(text): self = .further(text)
        default:
            let digits = text.drop { $0 == "." }
            guard !digits.isEmpty, digits.utf8.count <= 3,
                digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(digits)
            else { return nil }
            switch text.utf8.count - digits.utf8.count {
            case 0 where number > 0: self = .length(number)
            case 1 where number <= 15: self = .decimals(number)
            default: return nil
            }
        }
    }

    /// The text that shows the value; nil if the format has no effect on it.
    /// - Parameter further: applies a format that is not known here to a text.
    package func text<V: ExpressionValue>(of value: V, _ further: (String, String) -> String) -> String? {
        switch self {
        case .decimals(let count): return value.operand.decimal?.text(decimals: count)
        case .duration: return value.operand.decimal?.clock
        case .json: return value.json
        case .length(let count):
            let text = value.shown
            guard let end = text.index(text.startIndex, offsetBy: count, limitedBy: text.endIndex),
                end < text.endIndex
            else { return nil }
            return text.prefix(count - 1) + "…"
        case .markup: return value.shown.inMarkup
        case .further(let name): return further(name, value.shown)
        }
    }
}

extension String {
    package var inMarkup: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension ExpressionScalar {
    /// The number as JSON shows it; nil for other kinds.
    var decimal: DecimalNumber? {
        switch self {
        case .int(let int): DecimalNumber(int)
        case .double(let double): ByteView.with(double.description) { DecimalNumber($0) }
        default: nil
        }
    }
}
