// SPDX-License-Identifier: MIT
// A record of the developer's notes that a test causes.

@testable import ObserveModels

/// The notes of a test, in order. Release builds have none.
final class Notes {
    private(set) var all: [String] = []

    func whileReceiving(_ body: () throws -> Void) rethrows {
        #if DEBUG
            try DeveloperNote.receiving({ self.all.append($0) }, while: body)
        #else
            try body()
        #endif
    }

    /// What notes are expected to be: `texts` in debug builds.
    static func inDebugBuilds(_ texts: String...) -> [String] {
        #if DEBUG
            texts
        #else
            []
        #endif
    }
}
