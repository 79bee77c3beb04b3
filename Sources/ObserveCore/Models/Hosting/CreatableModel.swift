// SPDX-License-Identifier: MIT
// The protocol of Swift classes whose models clients may make, and the error of hosting. Independent of trees.

/// A class whose models clients may make: they assign a JSON object to a property of this class.
///
/// ```swift
/// final class Player: CreatableModel {
///     let observationStore = ObservationStore()
///     @Published var videoTitle = ""
///     init() {}
/// }
/// ```
///
/// The tree makes a new model by ``init()``, then assigns the object's members. Only the program makes models of other classes:
/// if a client assigns an object, the tree refuses it (`readOnly`). A client may still link an existing model.
///
/// - Threading: the tree calls ``init()`` on the host's queue.
public protocol CreatableModel: ObservableModel {
    /// Makes a model with default values. The tree also calls it when it first hosts the class, to read these values.
    init()
}

/// Why a model can't be hosted.
public struct HostingError: Error, Equatable, CustomStringConvertible, Sendable {
    /// One sentence for people.
    public let description: String
    /// The properties of types that a tree can't show, as in `Player.delegate`.
    public let properties: [String]

    init(_ description: String, properties: [String] = []) {
        self.description = description
        self.properties = properties
    }
}
