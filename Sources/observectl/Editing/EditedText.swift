// SPDX-License-Identifier: MIT
// The text of a value in an editor, and the merge of two versions of it. Independent of editors.

import ObserveCore

/// Values as indented JSON. Where two versions changed the same member, the text has both between marks.
enum EditedText {
    /// Begins the user's side of a conflict, so a text with it is not JSON.
    static let mark = "<<<<<<< yours"
    private static let middle = "======="
    private static let end = ">>>>>>> theirs"

    static func text(of value: Value) -> String { lines(of: value).joined(separator: "\n") + "\n" }

    /// Both versions, which began from `base`, merged member by member.
    static func merge(base: Value, mine: Value, theirs: Value) -> String {
        merged(base, mine, theirs).lines.joined(separator: "\n") + "\n"
    }

    /// The lines of a value, or of both sides of a conflict.
    private struct Piece {
        var mine: [String]
        /// Nil without a conflict.
        var theirs: [String]?

        var lines: [String] { theirs.map { [mark] + mine + [middle] + $0 + [end] } ?? mine }

        /// With text before the first line of each side and after the last.
        func surrounded(_ prefix: String, _ suffix: String) -> Piece {
            func surround(_ lines: [String]) -> [String] {
                guard !lines.isEmpty else { return [] }
                var lines = lines
                lines[0] = prefix + lines[0]
                lines[lines.count - 1] += suffix
                return lines
            }
            return Piece(mine: surround(mine), theirs: theirs.map(surround))
        }
    }

    private static func lines(of value: Value) -> [String] {
        var presentation = Presentation.plain
        presentation.isIndented = true
        let bytes = JSONLayout.bytes(of: RawJSON(value), as: presentation)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func lines(of value: Value?) -> [String] { value.map { lines(of: $0) } ?? [] }

    private static func merged(_ base: Value?, _ mine: Value?, _ theirs: Value?) -> Piece {
        if mine == theirs || base == theirs { return Piece(mine: lines(of: mine)) }
        if base == mine { return Piece(mine: lines(of: theirs)) }
        guard let left = mine?.object, let right = theirs?.object
        else { return Piece(mine: lines(of: mine), theirs: lines(of: theirs)) }
        let former = base?.object ?? ValueMembers()
        var pieces: [Piece] = []
        for name in left.map(\.name) + right.map(\.name).filter({ left[$0] == nil }) {
            let piece = merged(former[name], left[name], right[name])
            if !piece.lines.isEmpty {
                pieces.append(piece.surrounded("\(RawJSON(.string(name)).text): ", ""))
            }
        }
        guard !pieces.isEmpty else { return Piece(mine: ["{}"]) }
        var body: [String] = []
        for (index, piece) in pieces.enumerated() {
            let comma = index + 1 < pieces.count ? "," : ""
            body += piece.surrounded("", comma).lines.map { isMark($0) ? $0 : "  " + $0 }
        }
        return Piece(mine: ["{"] + body + ["}"])
    }

    private static func isMark(_ line: String) -> Bool { [mark, middle, end].contains(line) }
}
