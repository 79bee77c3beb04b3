// SPDX-License-Identifier: MIT
// What a Swift class says about being shown. Knows nothing of trees.

/// A class of models that can be made of JSON: where one of its models belongs, clients may assign an object.
///
/// ```swift
/// final class Player: CreatableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
///     init() {}
/// }
/// ```
///
/// The new model is made by ``init()``, and then given what the object has. Of a class that is not creatable, models are
/// made by the program alone, and a client that assigns an object is refused (`readOnly`); it may still link one that is
/// there.
///
/// - Threading: models are made on the queue of whoever hosts.
public protocol CreatableModel: ObservableModel {
    /// A model as new ones are. One is made when the class is hosted for the first time, to see what that is.
    init()
}

/// Why a model can't be hosted.
public struct HostingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// One sentence for people.
    public let description: String
    /// The properties whose types can't be shown, as in `Player.delegate`.
    public let properties: [String]

    init(_ description: String, properties: [String] = []) {
        self.description = description
        self.properties = properties
    }
}
