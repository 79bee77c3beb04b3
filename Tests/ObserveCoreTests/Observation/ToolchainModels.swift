// SPDX-License-Identifier: MIT
// Objects with `@Observable`. Their macro needs a file in which `Observation` is the toolchain's module.

import ObserveCore
import Observation

@Observable final class Settings {
    var volume = 5
    var theme: Theme?
}

@Observable final class Theme {
    var name: String
    var film: Film?
    init(_ name: String) { self.name = name }
}

final class Film: ObservableModel {
    let observationStore = ObservationStore()
    @Published var title: String
    init(_ title: String) { self.title = title }
}
