// SPDX-License-Identifier: MIT
// The characters with which views draw, for UTF-8 and for ASCII. Independent of the views.

/// A set of characters for drawing. All but the branches take one column.
struct Glyphs: Equatable, Sendable {
    /// Whether text may have characters outside of ASCII.
    let isUnicode: Bool
    /// Before an entry that others follow, before the last one, and below the former.
    let branch: String
    let lastBranch: String
    let stem: String
    /// The end of text that was cut.
    let ellipsis: String
    let arrow: String
    let backArrow: String
    let bothArrows: String
    let horizontal: String
    let vertical: String
    let corner: String
    let dot: String
    let collapsed: String
    let expanded: String
    /// Columns of a growing height, the first empty.
    let bars: [String]
    let pin: String

    static let unicode = Glyphs(
        isUnicode: true,
        branch: "├─ ",
        lastBranch: "└─ ",
        stem: "│  ",
        ellipsis: "…",
        arrow: "→",
        backArrow: "←",
        bothArrows: "↔",
        horizontal: "─",
        vertical: "│",
        corner: "└",
        dot: "·",
        collapsed: "▸",
        expanded: "▾",
        bars: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        pin: "◆"
    )

    static let ascii = Glyphs(
        isUnicode: false,
        branch: "|- ",
        lastBranch: "`- ",
        stem: "|  ",
        ellipsis: "~",
        arrow: ">",
        backArrow: "<",
        bothArrows: "=",
        horizontal: "-",
        vertical: "|",
        corner: "+",
        dot: ".",
        collapsed: "+",
        expanded: "-",
        bars: [" ", "_", ".", ":", "-", "=", "+", "*", "#"],
        pin: "*"
    )

    /// The set for a user's locale: ASCII if the locale names another encoding than UTF-8, as `C` does.
    ///
    /// - Parameter variable: the value of an environment variable.
    static func fitting(_ variable: (String) -> String?) -> Glyphs {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable)
        guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return unicode }
        return locale.contains("utf-8") || locale.contains("utf8") ? unicode : ascii
    }
}
