// SPDX-License-Identifier: MIT
// The errors of the protocol: JSON-RPC's codes and the daemon's own.

/// The `error` member of an answer ("Errors" in `docs/protocol.md`).
/// - Errors: a code is a raw value, so clients keep codes outside of this table.
public struct WireError: Error, Equatable, Sendable {
    /// The protocol's error codes.
    public struct Code: RawRepresentable, Equatable, Sendable {
        /// The number.
        public let rawValue: Int

        /// The code with that number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The line is not JSON.
        public static let parseError = Code(rawValue: -32700)
        /// The line is not a request.
        public static let invalidRequest = Code(rawValue: -32600)
        /// The method does not exist.
        public static let methodNotFound = Code(rawValue: -32601)
        /// The params do not fit the method.
        public static let invalidParams = Code(rawValue: -32602)
        /// The daemon failed.
        public static let internalError = Code(rawValue: -32603)
        /// The path does not exist.
        public static let notFound = Code(rawValue: 1)
        /// The value has the wrong type.
        public static let typeMismatch = Code(rawValue: 2)
        /// The path is read-only.
        public static let readOnly = Code(rawValue: 3)
        /// The condition of the write is false.
        public static let conflict = Code(rawValue: 4)
        /// The client has no permission.
        public static let accessDenied = Code(rawValue: 5)
        /// The request exceeds a limit.
        public static let limitExceeded = Code(rawValue: 6)
        /// A strong reference would close a cycle.
        public static let referenceCycle = Code(rawValue: 7)
        /// The daemon can't write its journal.
        public static let unavailable = Code(rawValue: 8)

        /// The name in `data.name`; nil for JSON-RPC's own codes.
        package var name: StaticString? {
            rawValue < 0 ? nil : WireError.kinds.first { $0.code == self }?.name
        }
    }

    /// The errors with which methods refuse requests.
    static let kinds: [(name: StaticString, code: Code, message: StaticString)] = [
        ("methodNotFound", .methodNotFound, "the method does not exist"),
        ("invalidParams", .invalidParams, "a param is missing, unknown, or of the wrong type"),
        ("notFound", .notFound, "the path, subscription or binding does not exist"),
        ("typeMismatch", .typeMismatch, "the value has the wrong type"),
        ("readOnly", .readOnly, "the path can't be written"),
        ("conflict", .conflict, "the condition of the write is false"),
        ("accessDenied", .accessDenied, "the client has no permission"),
        ("limitExceeded", .limitExceeded, "the request exceeds a limit"),
        ("referenceCycle", .referenceCycle, "a strong link would close a cycle"),
        ("unavailable", .unavailable, "the journal can't be written"),
    ]

    package let code: Code
    /// One sentence.
    package let message: String
    /// The faulty key path, in escaped form.
    package let path: String?
    /// Further members of `data`, as JSON without braces: a conflict's `value` and `revision`, a mismatch's
    /// `declared` and `found`, the `nearest` name to an unknown one, or the `column` of a faulty condition.
    package var found: String?
    /// The index of the failed operation in a transaction.
    package var operation: Int?

    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    package static func invalidParams(_ message: String) -> WireError { WireError(.invalidParams, message) }

    static func limitExceeded(_ message: String, path: String? = nil) -> WireError {
        WireError(.limitExceeded, message, path: path)
    }

    /// The refusal of a value that nests too deep, wherever it is read.
    static func tooDeep(_ limit: Int) -> WireError {
        .limitExceeded("the value nests deeper than \(limit) levels")
    }

    package static func invalidRequest(_ message: String) -> WireError { WireError(.invalidRequest, message) }
}

extension ByteBuffer {
    func appendErrorResponse(id: ByteView?, _ error: WireError) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        if let id { append(id) } else { append("null") }
        append(",\"error\":{\"code\":", error.code.rawValue)
        append(",\"message\":", error.message)
        appendErrorData(error)
        append("}}")
    }

    private func appendErrorData(_ error: WireError) {
        let data = ByteBuffer()
        if let name = error.code.name {
            data.append(",\"name\":\"")
            data.append(name)
            data.append(0x22)
        }
        if let path = error.path { data.append(",\"path\":", path) }
        if let operation = error.operation { data.append(",\"operation\":", operation) }
        if let found = error.found {
            data.append(0x2C)
            data.append(utf8: found)
        }
        guard !data.isEmpty else { return }
        append(",\"data\":{")
        append(data.view.dropFirst(1))
        append(0x7D)
    }
}
