// SPDX-License-Identifier: MIT
// The formats of `--format` for text that other programs read. Independent of templates.

import ObserveCore

/// Text that shows as it is in the status line of tmux, in polybar, and in a prompt of zsh; `plain` on any terminal.
enum ProgramText: String, CaseIterable {
    case plain, polybar, tmux, zsh

    func text(of text: String) -> String {
        switch self {
        case .plain: text.printable
        case .polybar: text.printable.untagged
        case .tmux: text.printable.withoutFormats
        case .zsh: text.printable.replacing("%", with: "%%")
        }
    }
}

private extension String {
    /// The text for tmux. A `#` at the end would escape a style behind it, whether doubled or not.
    var withoutFormats: String {
        let text = replacing("#", with: "##")
        return text.hasSuffix("#") ? "\(text) " : text
    }

    /// The text for polybar, which has no escape for `%{`: a tag without effect separates them.
    var untagged: String {
        let text = replacing("%{", with: "%%{O0}{")
        return text.hasSuffix("%") ? "\(text)%{O0}" : text
    }
}
