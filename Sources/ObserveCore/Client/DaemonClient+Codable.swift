// SPDX-License-Identifier: MIT
// Reads and writes of `Codable` values. Independent of connections.

extension DaemonClient {
    /// The value at a path, decoded. Members that the type does not have are ignored.
    ///
    /// - Parameters:
    ///   - path: A key path.
    ///   - type: The type of the result; an optional accepts null.
    /// - Throws: ``ClientError/unexpected(path:value:)`` with the path at which decoding failed.
    @_disfavoredOverload
    public nonisolated(nonsending) func get<Wanted: Decodable>(
        _ path: String,
        as type: Wanted.Type = Wanted.self
    ) async throws(ClientError) -> Wanted {
        let value: Value = try await get(path)
        return try Wanted.decode(value, at: path)
    }

    /// Assigns an encoded value: an object becomes a new model.
    ///
    /// - Parameters: As those of the function for ``ModelValue``s.
    /// - Throws: ``ClientError/unexpected(path:value:)`` for a value that can't be encoded, with its place.
    @discardableResult @_disfavoredOverload
    public nonisolated(nonsending) func set(
        _ path: String,
        to value: some Encodable,
        lifetime: ValueLifetime = .permanent,
        parents: Bool = false,
        ifRevision: UInt64? = nil
    ) async throws(ClientError) -> Commit {
        let json: Value
        do { json = try Value(encoding: value) } catch {
            guard case .invalidValue(let fault, let context) = error as? EncodingError else {
                throw .unexpected(path: path, value: "\(error)")
            }
            throw .unexpected(path: path.appending(context.codingPath), value: "\(fault)")
        }
        return try await set(path, to: json, lifetime: lifetime, parents: parents, ifRevision: ifRevision)
    }

    /// The values at a path, decoded, in order: as those of ``ModelValue``s.
    @_disfavoredOverload
    public func values<Wanted: Decodable & Sendable>(
        of path: String,
        as type: Wanted.Type = Wanted.self,
        options: SubscriptionOptions = SubscriptionOptions(),
        buffering: ChangeBuffering = .every
    ) -> AsyncThrowingStream<Wanted, any Error> {
        values(of: path, options, buffering) { (value, path) throws(ClientError) in
            try Wanted.decode(value, at: path)
        }
    }
}

private extension Decodable {
    static func decode(_ value: Value, at path: String) throws(ClientError) -> Self {
        do { return try value.decoded(as: Self.self) } catch let error as DecodingError {
            let place = error.place
            throw .unexpected(path: path.appending(place), value: value.part(at: place)?.json ?? "missing")
        } catch {
            throw .unexpected(path: path, value: value.json)
        }
    }
}

private extension DecodingError {
    /// The coding path of the value at fault.
    var place: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        @unknown default: []
        }
    }
}

private extension String {
    /// The key path continued by a coding path.
    func appending(_ place: [any CodingKey]) -> String {
        place.isEmpty ? self : "\(self).\(DottedKeyPath.text(of: place.map(\.stringValue)))"
    }
}
