// SPDX-License-Identifier: MIT
// Where a program begins an observation, in debug builds. Independent of observers.

#if DEBUG && canImport(Runtime)
    internal import Runtime

    /// The file and line of the program's call that began an observation.
    /// - Cost: some microseconds to note. To name it, the toolchain reads the debug information: seconds in a large program.
    struct ObservationSite {
        /// Where this library's sources are: such frames are not the program's.
        private static let sources = #filePath.dropLast("Observation/ObservationSite.swift".count)
        /// The program's images when the first observation began: to list them takes fifty times as long as a call stack.
        private static let images = ImageMap.capture()

        private let calls = try? Backtrace.capture(algorithm: .fast, limit: 32, top: 0, images: images)

        /// As in `PlayerView.swift:12`; nil if the program has no debug information.
        var text: String? {
            let places = calls?.symbolicated()?.frames.lazy.compactMap { $0.symbol?.sourceLocation }
            let place = places?.first { $0.line > 0 && !$0.path.hasPrefix(Self.sources) }
            return place.map { "\($0.path.split(separator: "/").last ?? ""):\($0.line)" }
        }
    }
#else
    /// Nothing: release builds don't note it.
    struct ObservationSite { var text: String? { nil } }
#endif
