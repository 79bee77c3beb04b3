// SPDX-License-Identifier: MIT
// Makes a new folder for one test, and files in it. Independent of their use.

import Glibc
import ObserveCore

/// A test's own folder; freeing it removes the folder with all its files.
final class TemporaryDirectory {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder.make(prefix: "observed-test-") }

    var path: String { folder.path }

    /// The path of a file in it, which need not exist.
    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = path(name)
        guard let file = unsafe fopen(path, "w") else {
            throw ProcessError(description: "\(path) cannot be made")
        }
        unsafe fputs(text, file)
        guard unsafe fclose(file) == 0 else { throw ProcessError(description: "\(path) cannot be written") }
        return path
    }
}

/// The kind of the file at a path, without following links; nil if there is none.
enum FileKind: Equatable {
    case regular
    case folder
    case socket
    case other

    static func of(_ path: String) -> FileKind? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regular
        case S_IFDIR: return .folder
        case S_IFSOCK: return .socket
        default: return .other
        }
    }
}

/// The text of a file.
func readText(_ path: String) throws -> String {
    String(decoding: try Platform.readFile(path, limitBytes: 1 << 24), as: UTF8.self)
}
