// SPDX-License-Identifier: MIT
// Writes as clients send them. Independent of connections.

/// A write: a request of its own, or one operation of a transaction.
package struct WriteOperation: Sendable {
    package enum Method: String, Sendable { case set, merge, remove, insert, increment, link }

    package let method: Method
    package let params: RequestParams

    /// - Parameter params: The params after `path`.
    package init(_ method: Method, _ path: String, _ params: RequestParams = [:]) {
        self.method = method
        self.params = ["path": RawJSON(.string(path))] + params
    }

    /// The operation as an element of a transaction's `operations`.
    package var json: RawJSON {
        let operation: RequestParams = ["method": RawJSON(.string(method.rawValue)), "params": params.json]
        return operation.json
    }
}
