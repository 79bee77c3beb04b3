// SPDX-License-Identifier: MIT
// The names of the files in a state folder. Independent of their contents.

/// Names of the files in the folder.
enum StateFile {
    static let snapshot = "snapshot"
    static let freshSnapshot = "snapshot.new"
    static let freshJournal = "journal.new"
    static let freshDump = "before.new"

    /// A dump from before the tree lost what did not fit other types.
    static func dump(before revision: UInt64) -> String { "before-\(revision).jsonl" }

    /// A copy of a file that was cut off where it is damaged.
    static func damaged(_ name: String, at offset: Int) -> String { "\(name).damaged-at-\(offset)" }

    static func journal(_ number: Int) -> String { "journal-\(number)" }

    /// The number of the journal with that name; nil for any other name.
    static func number(ofJournal name: String) -> Int? {
        guard name.hasPrefix("journal-"), let number = Int(name.dropFirst(8)), number > 0,
            journal(number) == name
        else { return nil }
        return number
    }
}
