// SPDX-License-Identifier: MIT
// Parses the daemon's messages. Independent of connections.

package enum ClientMessage: Equatable, Sendable {
    /// The result of the request with that number.
    case answer(id: Int64, RawJSON)
    /// The error of the request with that number; nil if the daemon found no number in the line.
    case refusal(id: Int64?, DaemonError)
    case change(ChangeEvent)
    /// The daemon ends the connection.
    /// - Parameter revision: the last commit that the messages before show, if the daemon says so.
    case goodbye(reason: String, revision: Int64? = nil)
    /// A notification of a later version. Clients ignore it.
    case unknown(method: String)
}

/// A change of a subscribed path ("Events" in `docs/protocol.md`).
package struct ChangeEvent: Equatable, Sendable {
    /// The event's params in the daemon's bytes.
    package let params: RawJSON
    package let subscription: Int64
    /// Nil for a reason of a later version.
    package let reason: ChangeReason?
    /// Whether it ends its frame: no `more` follows.
    package var isLast: Bool

    package init(params: RawJSON, subscription: Int64, reason: ChangeReason?, isLast: Bool = true) {
        self.params = params
        self.subscription = subscription
        self.reason = reason
        self.isLast = isLast
    }

    /// The new value; nil in a prior or truncated event.
    package var new: RawJSON? { params.member("new") }

    /// Whether the daemon left the values out, since they exceed a limit.
    package var isTruncated: Bool { params.member("truncated") != nil }

    var indexes: [Int] {
        (params.member("indexes")?.elements ?? []).compactMap { (try? $0.value())?.int.map(Int.init) }
    }
}

// MARK: - Parsing

extension ClientMessage {
    /// Parses a line. Throws ``ClientError/malformed(_:)``.
    init(line: ByteView) throws(ClientError) { self = try Members(of: line).message() }
}

/// The members of a line that determine its kind.
private struct Members {
    private var id: JSONView?
    private var method: JSONView?
    private var params: JSONView?
    private var result: JSONView?
    private var error: JSONView?
    private static let reasons: [ChangeReason] = [.initial, .valueChanged, .pathChanged, .sourceDeleted]

    init(of line: ByteView) throws(ClientError) {
        let token: JSONView
        do throws(JSONError) {
            token = try JSONScanner.validate(line, maxDepth: Value.depthLimit)
        } catch { throw .malformed("a line with \(error)") }
        for (name, value) in token.members {
            switch name.decodedString() {
            case "id": id = value
            case "method": method = value
            case "params": params = value
            case "result": result = value
            case "error": error = value
            default: break
            }
        }
    }

    func message() throws(ClientError) -> ClientMessage {
        if let method { return try notification(method.decodedString()) }
        if let error { return .refusal(id: id?.int64(), try daemonError(error)) }
        guard let result else { throw .malformed("a line that is neither an answer nor an event") }
        guard let id = id?.int64() else { throw .malformed("an answer to no request") }
        return .answer(id: id, RawJSON(copying: result))
    }

    private func notification(_ method: String) throws(ClientError) -> ClientMessage {
        switch method {
        case "change": return .change(try changeEvent())
        case "goodbye":
            let reason = params?["reason"]?.decodedString() ?? ""
            return .goodbye(reason: reason, revision: params?["revision"]?.int64())
        default: return .unknown(method: method)
        }
    }

    private func changeEvent() throws(ClientError) -> ChangeEvent {
        var subscription: Int64?
        var reason: ChangeReason?
        var isLast = true
        var members = params?.members
        while let (name, value) = members?.next() {
            switch name.decodedString() {
            case "subscription": subscription = value.int64()
            case "reason": reason = Members.reasons.first { value.contents == $0.name }
            case "more": isLast = value.kind != .true
            default: break
            }
        }
        guard let params, let subscription else { throw .malformed("an event of no subscription") }
        return ChangeEvent(
            params: RawJSON(copying: params),
            subscription: subscription,
            reason: reason,
            isLast: isLast
        )
    }

    private func daemonError(_ error: JSONView) throws(ClientError) -> DaemonError {
        guard let code = error["code"]?.int64(), let message = error["message"]?.decodedString()
        else { throw .malformed("an error without code and message") }
        return DaemonError(
            code: WireError.Code(rawValue: Int(code)),
            message: message,
            data: error["data"].map(RawJSON.init(copying:))
        )
    }
}
