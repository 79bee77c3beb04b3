// SPDX-License-Identifier: MIT
// Models as `Codable` values.

import ObserveCore
import Testing

@Suite struct CodableModelTests {
    private final class Film: ObservableModel, Codable, Equatable {
        let observationStore = ObservationStore()
        @Published var title = ""
        @Published var year: Int?
        @Published var sequels: [Film] = []

        private enum CodingKeys: CodingKey { case title, year, sequels }

        init(_ title: String, _ year: Int? = nil, _ sequels: [Film] = []) {
            self.title = title
            self.year = year
            self.sequels = sequels
        }

        static func == (left: Film, right: Film) -> Bool {
            (left.title, left.year) == (right.title, right.year) && left.sequels == right.sequels
        }
    }

    @Test func `a model is encoded as its properties, and decoded again`() throws {
        let film = Film("Alien", 1979, [Film("Aliens")])
        let value = try Value(encoding: film)
        #expect(value["title"] == "Alien" && value["sequels"]?[0]?["title"] == "Aliens")
        let copy = try value.decoded(as: Film.self)
        #expect(copy == film)
        let heard = Heard()
        let token = copy.observe(\.sequels.first?.title) { heard($0 as Any) }
        copy.sequels[0].title = "Alien 2"
        #expect(heard.popAll() == ["Aliens", "Alien 2"])
        withExtendedLifetime(token) {}
    }

    @Test func `an optional property may be missing, another one may not`() throws {
        let (untitled, undated): (Value, Value) = (
            ["year": 1979, "sequels": []], ["title": "Alien", "sequels": []]
        )
        #expect(try undated.decoded(as: Film.self) == Film("Alien"))
        #expect(throws: DecodingError.self) { try untitled.decoded(as: Film.self) }
    }
}
