// SPDX-License-Identifier: MIT
// Codable models. Independent of observers.

/// A published property is encoded as its value. So a model is `Codable` if it names its properties:
///
/// ```swift
/// final class Film: ObservableModel, Codable {
///     let observationStore = ObservationStore()
///     @Published var title = ""
///     @Published var year: Int?
///     private enum CodingKeys: CodingKey { case title, year }
/// }
/// ```
extension Published: Encodable where Value: Encodable {
    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Published: Decodable where Value: Decodable {
    /// Decodes the value.
    public init(from decoder: any Decoder) throws { try self.init(wrappedValue: Value(from: decoder)) }
}

extension KeyedDecodingContainer {
    /// Decodes an optional property, which is nil without the key. The compiler uses it for published properties.
    public func decode<Value: Decodable>(
        _ type: Published<Value?>.Type,
        forKey key: Key
    ) throws -> Published<Value?> {
        try Published(wrappedValue: decodeIfPresent(Value.self, forKey: key))
    }
}
