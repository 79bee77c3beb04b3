// SPDX-License-Identifier: MIT
// The formats of a value in a template, such as `:.1`. Independent of templates.

import ObserveCore

/// What a template makes of a value. If a format does not fit the value, it has no effect.
enum ValueFormat: Equatable {
    /// `:.1`: a number with so many decimals.
    case decimals(Int)
    /// `:20`: at most so many characters, the last one `…`.
    case length(Int)
    /// Seconds as `3:07` or `1:02:03`.
    case duration
    case json
    /// Text that shows as it is where Pango markup is read.
    case markup
    /// Text that shows as it is in the status line of tmux, in polybar, and in a prompt of zsh; `plain` on any terminal.
    case tmux, polybar, zsh, plain

    static let known = ".1, 20, duration, json, markup, plain, polybar, tmux, zsh"

    init?(_ text: String) {
        switch text {
        case "duration": self = .duration
        case "json": self = .json
        case "markup": self = .markup
        case "tmux": self = .tmux
        case "polybar": self = .polybar
        case "zsh": self = .zsh
        case "plain": self = .plain
        default:
            let digits = text.drop { $0 == "." }
            guard !digits.isEmpty, digits.count <= 3, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                let number = Int(digits)
            else { return nil }
            switch text.count - digits.count {
            case 0 where number > 0: self = .length(number)
            case 1 where number <= 15: self = .decimals(number)
            default: return nil
            }
        }
    }

    /// The value with the format applied.
    func applied(to value: RawJSON) -> RawJSON {
        let text = String(decoding: value.unquoted, as: UTF8.self)
        let shown: String? =
            switch self {
            case .decimals(let count): Decimal(value.text).map { $0.text(decimals: count) }
            case .length(let count):
                text.count > count ? text.prefix(count - 1) + "…" : nil
            case .duration: Decimal(value.text)?.clock
            case .json: value.text
            case .markup: text.markup
            case .tmux: text.printable.withoutFormats
            case .polybar: text.printable.untagged
            case .zsh: text.printable.replacing("%", with: "%%")
            case .plain: text.printable
            }
        return shown.map { RawJSON(.string($0)) } ?? value
    }
}

/// A number as JSON writes it. Its digits are exact.
private struct Decimal {
    private let isNegative: Bool
    /// Without a sign and a point.
    private let digits: [UInt8]
    /// The position of the point, from the first digit.
    private let point: Int

    /// Nil unless the text is a number of any double's size.
    init?(_ json: String) {
        guard let first = json.utf8.first, first == 0x2D || (0x30...0x39).contains(first) else { return nil }
        isNegative = first == 0x2D
        let parts = json.drop { $0 == "-" }.split { $0 == "e" || $0 == "E" }
        let exponent = parts.count > 1 ? Int(parts[1].drop { $0 == "+" }) : 0
        guard let exponent, abs(exponent) <= 400 else { return nil }
        let halves = parts[0].split(separator: ".")
        digits = Array(halves.joined().utf8.map { $0 - 0x30 })
        point = halves[0].count + exponent
    }

    /// With so many decimals, half away from zero. Zero has no sign.
    func text(decimals: Int) -> String {
        let end = point + decimals
        var kept = (min(0, point - 1)..<end).map { digit($0) }
        if digit(end) >= 5 {
            var index = kept.count - 1
            while index >= 0, kept[index] == 9 {
                kept[index] = 0
                index -= 1
            }
            if index >= 0 { kept[index] += 1 } else { kept.insert(1, at: 0) }
        }
        let text = kept.map { Character(Unicode.Scalar($0 + 0x30)) }
        let sign = isNegative && kept.contains { $0 > 0 } ? "-" : ""
        let whole = String(text.dropLast(decimals).drop { $0 == "0" })
        let fraction = String(text.suffix(decimals))
        return "\(sign)\(whole.isEmpty ? "0" : whole)\(decimals > 0 ? "." : "")\(fraction)"
    }

    private func digit(_ index: Int) -> UInt8 { digits.indices.contains(index) ? digits[index] : 0 }

    /// `3:07` or `1:02:03`, cut to whole seconds; nil for more than a double counts exactly.
    var clock: String? {
        let whole =
            digits.prefix(max(point, 0)) + Array(repeating: 0, count: max(min(point, 20) - digits.count, 0))
        guard point <= 15 else { return nil }
        let seconds = whole.reduce(0) { $0 * 10 + Int($1) }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let sign = isNegative && seconds > 0 ? "-" : ""
        return hours > 0
            ? "\(sign)\(hours):\(two(minutes)):\(two(seconds % 60))"
            : "\(sign)\(minutes):\(two(seconds % 60))"
    }
}

extension String {
    /// The text in Pango markup.
    var markup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The text for tmux. A `#` at the end would escape a style behind it, whether doubled or not.
    fileprivate var withoutFormats: String {
        let text = replacing("#", with: "##")
        return text.hasSuffix("#") ? "\(text) " : text
    }

    /// The text for polybar, which has no escape for `%{`: a tag without effect separates them.
    fileprivate var untagged: String {
        let text = replacing("%{", with: "%%{O0}{")
        return text.hasSuffix("%") ? "\(text)%{O0}" : text
    }
}
