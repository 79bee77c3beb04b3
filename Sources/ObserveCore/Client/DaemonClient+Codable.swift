// SPDX-License-Identifier: MIT
// Reads and writes of `Codable` values. Independent of connections.

extension DaemonClient {
    /// The value at a path, decoded. Members that the type does not have are ignored.
    /// - Parameters:
    ///   - path: A key path.
    ///   - type: The type of the result; an optional accepts null.
    /// - Throws: ``ClientError/unexpected(path:value:)`` with the path at which decoding failed.
    @_disfavoredOverload public nonisolated(nonsending) func get<Wanted: Decodable>(
        _ path: String,
        as type: Wanted.Type = Wanted.self
    ) async throws(ClientError) -> Wanted {
        let value: Value = try await get(path)
        return try Wanted.decode(value, at: path)
    }

    /// Assigns an encoded value: an object becomes a new model.
    /// - Parameters: As those of the function for ``ModelValue``s.
    /// - Throws: ``ClientError/unencodable(path:reason:)`` for a value that can't be encoded, with its place.
    @discardableResult @_disfavoredOverload public nonisolated(nonsending) func set(
        _ path: String,
        to value: some Encodable,
        lifetime: ValueLifetime = .permanent,
        parents: Bool = false,
        ifRevision: UInt64? = nil
    ) async throws(ClientError) -> Commit {
        let json = try Value.encoded(value, at: path)
        return try await set(path, to: json, lifetime: lifetime, parents: parents, ifRevision: ifRevision)
    }

    /// The values at a path, decoded, in order: as those of ``ModelValue``s.
    @_disfavoredOverload public func values<Wanted: Decodable & Sendable>(
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

extension Value {
    static func encoded(_ value: some Encodable, at path: String) throws(ClientError) -> Value {
        do { return try Value(encoding: value) } catch {
            guard case .invalidValue(_, let context) = error as? EncodingError
            else { throw .unencodable(path: path, reason: "\(error)") }
            throw .unencodable(path: path.appending(context.codingPath), reason: context.debugDescription)
        }
    }
}

extension ModelValue {
    /// The value as JSON. ``modelValue`` is null for a number that JSON lacks, since a model's property has to have a value;
    /// what a program sends is refused instead.
    func sent(to path: String) throws(ClientError) -> RawJSON {
        let json = modelValue
        if let (place, number) = json.lackingNumber {
            throw .unencodable(path: path.appending(place), reason: "JSON has no \(number)")
        }
        if json.mayLackNumber, let value = self as? any Encodable { _ = try Value.encoded(value, at: path) }
        return RawJSON(json)
    }
}

private extension Value {
    /// Whether it has a null, which may stand for a number that JSON lacks, or an integer to which a larger one is clamped.
    var mayLackNumber: Bool {
        switch self {
        case .null, .int(.max), .int(.min): true
        case .array(let elements): elements.contains(where: \.mayLackNumber)
        case .object(let members): members.contains { $0.value.mayLackNumber }
        case .bool, .int, .double, .string: false
        }
    }

    /// A number that JSON lacks, which a program's own JSON may have, and its place.
    var lackingNumber: (place: [any CodingKey], number: Double)? {
        switch self {
        case .double(let double) where !double.isFinite: return ([], double)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard let (place, number) = element.lackingNumber else { continue }
                return ([ValueKey(intValue: index)] + place, number)
            }
        case .object(let members):
            for (name, value) in members {
                guard let (place, number) = value.lackingNumber else { continue }
                return ([ValueKey(stringValue: name)] + place, number)
            }
        case .null, .bool, .int, .double, .string: break
        }
        return nil
    }
}

private extension Decodable {
    static func decode(_ value: Value, at path: String) throws(ClientError) -> Self {
        do { return try value.decoded(as: Self.self) } catch let error as DecodingError {
            let place = error.place
            throw .unexpected(path: path.appending(place), value: value.part(at: place)?.json ?? "missing")
        } catch { throw .unexpected(path: path, value: value.json) }
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
    func appending(_ place: [any CodingKey]) -> String {
        place.isEmpty ? self : "\(self).\(DottedKeyPath.text(of: place.map(\.stringValue)))"
    }
}
