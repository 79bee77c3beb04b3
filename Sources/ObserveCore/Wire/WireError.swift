// SPDX-License-Identifier: MIT
// The errors of the wire: JSON-RPC's codes and the daemon's own. Knows nothing of who raises them.

/// What an `error` member says (contract §5).
///
/// - Errors: codes are a raw value, so that one that is not in this table survives a client.
public struct WireError: Error, Equatable, Sendable {
    /// The numbers of the contract.
    public struct Code: RawRepresentable, Equatable, Sendable {
        /// The number.
        public let rawValue: Int

        /// The code with that number, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// What came is no JSON.
        public static let parseError = Code(rawValue: -32700)
        /// What came is no request.
        public static let invalidRequest = Code(rawValue: -32600)
        /// There is no such method.
        public static let methodNotFound = Code(rawValue: -32601)
        /// The params are not what the method takes.
        public static let invalidParams = Code(rawValue: -32602)
        /// The fault is the daemon's.
        public static let internalError = Code(rawValue: -32603)
        /// There is nothing at the path, or nothing that can be written through.
        public static let notFound = Code(rawValue: 1)
        /// The place takes another type.
        public static let typeMismatch = Code(rawValue: 2)
        /// The place can't be written.
        public static let readOnly = Code(rawValue: 3)
        /// The condition of the write does not hold.
        public static let conflict = Code(rawValue: 4)
        /// The client may not do that.
        public static let accessDenied = Code(rawValue: 5)
        /// It would go beyond a limit.
        public static let limitExceeded = Code(rawValue: 6)
        /// A strong reference would close a cycle.
        public static let referenceCycle = Code(rawValue: 7)
        /// The daemon can't write its journal.
        public static let unavailable = Code(rawValue: 8)

        /// The name that `data.name` carries; JSON-RPC's own codes have none.
        package var name: StaticString? {
            switch self {
            case .notFound: "notFound"
            case .typeMismatch: "typeMismatch"
            case .readOnly: "readOnly"
            case .conflict: "conflict"
            case .accessDenied: "accessDenied"
            case .limitExceeded: "limitExceeded"
            case .referenceCycle: "referenceCycle"
            case .unavailable: "unavailable"
            default: nil
            }
        }
    }

    package let code: Code
    /// One sentence for people.
    package let message: String
    /// The key path at fault, in escaped form.
    package let path: String?
    /// What else is in `data`: the members of a JSON object, without its braces. A conflict's `value` and `revision`,
    /// a mismatch's `declared` and `found`, the `nearest` name to an unknown one.
    package var found: String?
    /// Which operation of a transaction failed, counted from 0.
    package var operation: Int?

    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    package static func invalidParams(_ message: String) -> WireError { WireError(.invalidParams, message) }

    package static func invalidRequest(_ message: String) -> WireError { WireError(.invalidRequest, message) }
}

extension ByteBuffer {
    /// Appends a whole error response line's object, without the line feed.
    func appendErrorResponse(id: ByteView?, _ error: WireError) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        if let id { append(id) } else { append("null") }
        append(",\"error\":{\"code\":")
        append(decimal: Int64(error.code.rawValue))
        append(",\"message\":")
        appendJSONString(utf8: error.message)
        appendErrorData(error)
        append("}}")
    }

    private func appendErrorData(_ error: WireError) {
        let start = count
        if let name = error.code.name {
            append(",\"name\":\"")
            append(name)
            append(0x22)
        }
        if let path = error.path {
            append(",\"path\":")
            appendJSONString(utf8: path)
        }
        if let operation = error.operation {
            append(",\"operation\":")
            append(decimal: Int64(operation))
        }
        if let found = error.found {
            append(0x2C)
            append(utf8: found)
        }
        guard count > start else { return }
        let members = view.slice(start + 1..<count).array
        truncate(to: start)
        append(",\"data\":{")
        append(contentsOf: members)
        append(0x7D)
    }
}
