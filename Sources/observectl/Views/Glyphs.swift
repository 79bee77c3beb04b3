// SPDX-License-Identifier: MIT
// The characters with which views draw, for UTF-8 and for ASCII. Independent of the views.

/// A set of characters for drawing. All but the branches take one column.
struct Glyphs: Equatable, Sendable {
    /// Whether text may have characters outside of ASCII.
    let isUnicode: Bool

    static let unicode = Glyphs(isUnicode: true)
    static let ascii = Glyphs(isUnicode: false)

    /// Before an entry that others follow, before the last one, and below the former.
    var branch: String { isUnicode ? "├─ " : "|- " }
    var lastBranch: String { isUnicode ? "└─ " : "`- " }
    var stem: String { isUnicode ? "│  " : "|  " }
    /// The end of text that was cut.
    var ellipsis: String { isUnicode ? "…" : "~" }
    var arrow: String { isUnicode ? "→" : ">" }
    var backArrow: String { isUnicode ? "←" : "<" }
    var bothArrows: String { isUnicode ? "↔" : "=" }
    var horizontal: String { isUnicode ? "─" : "-" }
    var vertical: String { isUnicode ? "│" : "|" }
    var corner: String { isUnicode ? "└" : "+" }
    var dot: String { isUnicode ? "·" : "." }
    var collapsed: String { isUnicode ? "▸" : "+" }
    var expanded: String { isUnicode ? "▾" : "-" }
    var pin: String { isUnicode ? "◆" : "*" }
    /// Columns of a growing height, the first empty.
    var bars: [String] { (isUnicode ? " ▁▂▃▄▅▆▇█" : " _.:-=+*#").map { String($0) } }

    /// The set for a user's locale: ASCII if the locale names another encoding than UTF-8, as `C` does.
    static func fitting(_ variable: (String) -> String?) -> Glyphs {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable)
        guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return unicode }
        return locale.contains("utf-8") || locale.contains("utf8") ? unicode : ascii
    }
}
