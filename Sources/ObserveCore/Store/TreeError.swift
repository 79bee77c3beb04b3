// SPDX-License-Identifier: MIT
// The errors of the tree. Independent of the protocol's error codes and messages.

/// A refusal: the tree changed nothing.
package struct TreeError: Error, Equatable {
    package enum Kind: Sendable {
        case notFound
        case typeMismatch
        case readOnly
        case conflict
        case limitExceeded
        case referenceCycle
        /// The input itself is invalid, such as a number out of range.
        case invalidValue
    }

    package let kind: Kind
    /// One sentence for a person.
    package private(set) var message: String
    /// The key path at fault in escaped form.
    package private(set) var path: String?
    /// The declared type, and the kind of the value found instead.
    package var declared: String?
    package var found: String?
    /// The known name nearest to the unknown one.
    package var nearest: String?
    /// The column of the fault in the path of the request, if a condition is at fault: from 1.
    package var column: Int?
    /// The revision of the change that stands in the way.
    package var revision: UInt64?
}

extension TreeError {
    package var sentence: String { (column.map { "column \($0): " } ?? "") + message }

    init(_ kind: Kind, _ message: String, at path: ParsedKeyPath? = nil) {
        self.init(kind: kind, message: message, path: path?.escaped)
    }

    /// A refusal whose message begins with the path.
    init(_ kind: Kind, _ path: ParsedKeyPath, _ fault: String) {
        self.init(kind: kind, message: "\(path.escaped) \(fault)", path: path.escaped)
    }

    /// The same refusal with another sentence, and of another path.
    func said(as message: String, at path: String?) -> TreeError {
        var error = self
        (error.message, error.path, error.column, error.revision) = (message, path, nil, nil)
        return error
    }

    init(_ kind: Kind, _ message: String, at path: String) {
        self.init(kind: kind, message: message, path: path)
    }
}
