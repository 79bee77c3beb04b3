// SPDX-License-Identifier: MIT
// The models of the typed tests, and a record of their observers' notifications.

@testable import ObserveModels

final class Player: ObservableModel {
    let observationStore = ObservationStore()
    @Published var videoTitle: String
    @Published var position = 0

    init(_ videoTitle: String) { self.videoTitle = videoTitle }
}

final class PlaybackController: ObservableModel {
    let observationStore = ObservationStore()
    @Published var player: Player?

    init(_ player: Player? = nil) { self.player = player }
}

final class Theater: ObservableModel {
    let observationStore = ObservationStore()
    @Published var playbackController: PlaybackController?

    init(_ playbackController: PlaybackController? = nil) { self.playbackController = playbackController }
}

final class Person: ObservableModel {
    let observationStore = ObservationStore()
    @Published var firstName: String
    @Published var lastName: String
    @WeakPublished var manager: Person?

    init(_ firstName: String, _ lastName: String) {
        self.firstName = firstName
        self.lastName = lastName
    }

    var fullName: String { "\(firstName) \(lastName)" }
}

/// The notifications of observers, in order.
final class Heard {
    private var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
    func callAsFunction(_ value: Any) { add(text(value)) }
    func callAsFunction(_ name: String, _ value: Any) { add("\(name): \(text(value))") }

    /// The notifications since the last call.
    func popAll() -> [String] {
        defer { lines = [] }
        return lines
    }

    func change<Value>(_ change: Change<Value>) { add(line(change)) }

    func change<Value>(_ name: String, _ change: Change<Value>) { add("\(name): \(line(change))") }

    private func line<Value>(_ change: Change<Value>) -> String {
        var line = "\(change.reason.name)"
        if change.isPrior { line += " prior" }
        if let old = change.old { line += " \(text(old)) ->" }
        if let new = change.new { line += " \(text(new))" }
        if let property = change.changedAt { line += " at \(property)" }
        return line
    }
}

/// A value without its optionals.
func text(_ value: Any) -> String {
    if let player = value as? Player { return "Player(\(player.videoTitle))" }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { text($0.value) } ?? "nil"
}

extension ObservableModel {
    /// The value of the property at that place in the class's table.
    func value(ofProperty index: Int) -> Any { propertyTable.value(ofProperty: index, of: self) }

    /// Assigns the property at that place in the class's table.
    func setValue(_ value: Any, ofProperty index: Int) -> Bool {
        propertyTable.setValue(value, ofProperty: index, of: self)
    }
}
