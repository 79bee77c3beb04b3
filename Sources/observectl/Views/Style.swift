// SPDX-License-Identifier: MIT
// The look of text on a terminal or in a picture. Independent of the text.

struct Style: Hashable, Sendable {
    /// The meaning of a text, which a terminal and a picture show as colours.
    enum Tone: UInt8, Sendable, CaseIterable {
        case plain, name, string, number, literal, dim, accent, warning, heading
    }

    /// The steps of ``glow``.
    static let brightest: UInt8 = 3

    var tone = Tone.plain
    var isReversed = false
    /// How recently the text has changed: ``brightest`` at first, then less, 0 at last.
    var glow: UInt8 = 0

    static let plain = Style()
    static let dim = Style(tone: .dim)

    static func of(_ tone: Tone) -> Style { Style(tone: tone) }

    /// The escape sequence that selects this style, whatever was selected before; without colours, only its other parts.
    func sequence(isColoured: Bool) -> String {
        var codes = ["0"]
        if isColoured, glow > 0 {
            // Black on yellow can be read whatever the terminal's own colours are.
            codes.append("38;5;16;48;5;\([136, 178, 220][Int(min(glow, Style.brightest)) - 1])")
        } else if isColoured, !tone.code.isEmpty {
            codes.append(tone.code)
        }
        if isReversed || glow == Style.brightest && !isColoured { codes.append("7") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}

extension Style.Tone {
    var code: String { look.code }

    /// The colour in a picture with a dark background.
    var webColour: String { look.webColour }

    private var look: (code: String, webColour: String) {
        switch self {
        case .plain: ("", "#d4d7dd")
        case .name: ("34;1", "#82aaff")
        case .string: ("32", "#a5d6a0")
        case .number: ("36", "#7fd3e0")
        case .literal: ("33", "#e8c37d")
        case .dim: ("90", "#7d838f")
        case .accent: ("35", "#d49be8")
        case .warning: ("31;1", "#ff8a80")
        case .heading: ("1", "#ffffff")
        }
    }
}
