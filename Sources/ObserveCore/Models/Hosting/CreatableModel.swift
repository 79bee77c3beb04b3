// SPDX-License-Identifier: MIT
// What a Swift class declares about hosting, and why hosting fails. Independent of trees.

/// A class whose models can be made from JSON: clients may assign an object to a property of this class.
///
/// ```swift
/// final class Player: CreatableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
///     init() {}
/// }
/// ```
///
/// The tree makes a new model by ``init()``, then assigns the object's members. Only the program makes models
/// of other classes: if a client assigns an object, the tree refuses it (`readOnly`). A client may still link
/// an existing model.
///
/// - Threading: models are made on the host's queue.
public protocol CreatableModel: ObservableModel {
    /// Makes a model with default values. Also called when the class is first hosted, to read these values.
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
