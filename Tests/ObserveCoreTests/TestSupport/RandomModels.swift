// SPDX-License-Identifier: MIT
// Random models as JSON. Their members `id` are unique, so that a test knows which model it sees.

@testable import ObserveCore

/// A randomised test that writes models.
protocol RandomModels {
    var random: SeededGenerator { get set }
    /// The `id` of the newest model.
    var lastModel: Int { get set }
    mutating func scalar() -> String
    mutating func array() -> String
}

extension RandomModels {
    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func model(_ depth: Int = 0) -> String {
        lastModel += 1
        var members = [#""id":\#(lastModel)"#]
        if below(2) == 0 { members.append(#""k":\#(scalar())"#) }
        if depth < 2, below(2) == 0 { members.append(#""m":\#(model(depth + 1))"#) }
        if depth < 2, below(2) == 0 { members.append(#""n":\#(model(depth + 1))"#) }
        if below(2) == 0 { members.append(#""z":\#(scalar())"#) }
        if depth == 0, below(2) == 0 { members.append(#""x":1,"r":\#(array())"#) }
        return "{\(members.joined(separator: ","))}"
    }

    mutating func array() -> String {
        let elements = (0..<below(4)).map { _ -> String in
            switch below(6) {
            case 0: model(2)
            case 1: "[1,\(scalar())]"
            default: scalar()
            }
        }
        return "[\(elements.joined(separator: ","))]"
    }
}
