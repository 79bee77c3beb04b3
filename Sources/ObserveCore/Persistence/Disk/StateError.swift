// SPDX-License-Identifier: MIT
// Why state can't be read or kept. Independent of files' formats.

/// A fault of the kept state, or of the folder that has it.
package enum StateError: Error, Equatable, Sendable, CustomStringConvertible {
    case disk(DiskError)
    case missing(String, why: String)
    /// Whole lines follow a broken one, or a line does not follow the one before: this is damage, not a write that was cut off.
    case damaged(String, line: Int, offset: Int)
    case incomplete(String, line: Int, offset: Int)
    /// The line is whole, but can't follow the lines before it.
    case inconsistent(String, line: Int, why: String)
    /// A path is whole, but has more components than the limit permits now.
    case tooDeep(String)
    /// The file is not one of this program, or of another version.
    case foreign(String, why: String)

    package var description: String {
        switch self {
        case .disk(let error): error.description
        case .missing(let file, let why): "\(file) is missing: \(why)"
        case .damaged(let file, let line, let offset):
            "\(file) is damaged in line \(line), at byte \(offset): a line is broken, missing, doubled or moved"
        case .incomplete(let file, let line, let offset):
            "\(file) is damaged in line \(line), at byte \(offset): the file's end is missing"
        case .inconsistent(let file, let line, let why): "\(file), line \(line): \(why)"
        case .tooDeep(let why): why
        case .foreign(let file, let why): "\(file) \(why)"
        }
    }
}

extension StateError {
    /// What the operator can do about it; nil if the description says that.
    package var remedy: String? {
        let other = "restore the folder from a backup, or move it away to begin without it"
        switch self {
        case .disk: return nil
        case .tooDeep: return "raise limits.maxDepth: the state is whole"
        case .damaged(let name, let line, _) where line > 1 && StateFile.number(ofJournal: name) != nil:
            return
                "start once with --salvage to keep the commits before it and a copy of the file, or \(other)"
        case .missing, .damaged, .incomplete, .inconsistent: return other
        case .foreign: return "name another folder (--state), or \(other)"
        }
    }
}

package struct DiskError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    /// The disk has no space left, which may change.
    package let isFull: Bool

    package init(_ description: String, isFull: Bool = false) {
        self.description = description
        self.isFull = isFull
    }
}
