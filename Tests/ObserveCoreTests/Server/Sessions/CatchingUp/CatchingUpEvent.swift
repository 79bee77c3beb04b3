// SPDX-License-Identifier: MIT
// The options of a subscription, and the members of its events. Independent of their order.

@testable import ObserveCore

/// What a client subscribes to.
struct CatchingUpOptions {
    var patterns: [CatchingUpPattern]
    var hasInitial = true
    var old = false
    var prior = false
    var distinct = true
    var own = true
    var origin = false
    var whole = false
    var every = false
    /// Milliseconds; at most one of the two is set.
    var throttle = 0
    var debounce = 0
    var tag: Value?

    var isPaced: Bool { throttle + debounce > 0 }
    /// Nothing is delayed or left out.
    var isExact: Bool { own && !isPaced }
    /// The first pattern that ends in `**`. Its mirror takes the events of the others, too.
    var deep: CatchingUpPattern? { patterns.first(where: \.isDeep) }
    var isLiteral: Bool { patterns.allSatisfy(\.isLiteral) }
    var isOverlapped: Bool { !isLiteral && patterns.count > 1 }

    var params: String {
        let paths = patterns.map { "\"\($0.text)\"" }.joined(separator: ",")
        var members =
            #""paths":[\#(paths)],"initial":\#(hasInitial),"old":\#(old),"prior":\#(prior),"distinct":\#(distinct),"own":\#(own),"origin":\#(origin),"whole":\#(whole)"#
        if every { members += #","delivery":"every""# }
        if throttle > 0 { members += #","throttle":\#(throttle)"# }
        if debounce > 0 { members += #","debounce":\#(debounce)"# }
        switch tag {
        case .string(let text)?: members += #","tag":"\#(text)""#
        case .int(let number)?: members += #","tag":\#(number)"#
        default: break
        }
        return members
    }

    /// The values of an exact mirror by their paths, without those that are null.
    func expected(_ image: TreeImage) -> [String: Value] {
        var values: [String: Value] = [:]
        if let deep {
            values = image.matches(of: deep.base).mapValues { image.whole($0).withoutNulls }
        } else {
            for pattern in patterns {
                for (path, cell) in image.matches(of: pattern.base) { values[path] = image.reduced(cell) }
            }
        }
        return values.filter { !$0.value.isNull }
    }
}

/// The members of an event.
struct CatchingUpEvent {
    let raw: Value
    let path: String
    let names: [String]
    let revision: UInt64
    let hasMore: Bool

    init?(_ raw: Value) {
        guard let path = raw["path"]?.string, let revision = raw["revision"]?.int else { return nil }
        self.raw = raw
        self.path = path
        names = CatchingUpPattern.split(path)
        self.revision = UInt64(revision)
        hasMore = raw["more"] == true
    }

    var reason: String? { raw["reason"]?.string }
    var new: Value { raw["new"] ?? .null }
    var kind: String? { raw["kind"]?.string }
    var index: Int? { raw["indexes"]?[0]?.int.map(Int.init) }
    var isPrior: Bool { raw["prior"] == true }
    /// How many changes it stands for.
    var count: Int { raw["coalesced"]?.int.map(Int.init) ?? 1 }
}

/// When the lines that are read now were sent.
struct CatchingUpConditions {
    var now: UInt64 = 0
    /// The client has read everything at once, ever since it connected.
    var isPrompt = false
    /// Turns are so short that a frame may take several.
    var hasShortTurns = false
    /// A frame may also wait for the socket, since little output may wait.
    var hasLongFrames = false
}
