// SPDX-License-Identifier: MIT
// The numbers of a kept line.

enum LineMembers {
    /// The largest revision and instance of a state that a start accepts. The tree counts further without a limit: a
    /// daemon that makes ten million models each second needs 14,000 years to come here.
    static let largestNumber: Int64 = 1 << 62

    static func revision(_ json: JSONView?) throws(StateFault) -> UInt64 { try number(json, "a revision") }

    static func instance(_ json: JSONView) throws(StateFault) -> UInt64 { try number(json, "an instance") }

    private static func number(_ json: JSONView?, _ what: StaticString) throws(StateFault) -> UInt64 {
        guard let number = json?.int64(), (0...largestNumber).contains(number)
        else { throw StateFault("\(what) is a number") }
        return UInt64(number)
    }

    /// So many numbers. Other elements count as zero.
    static func numbers(_ list: JSONView, _ count: ClosedRange<Int>, elseSay why: String) throws(StateFault)
        -> [Int64]
    {
        var numbers: [Int64] = []
        for element in list.elements { numbers.append(element.int64() ?? 0) }
        guard count.contains(numbers.count) else { throw StateFault(why) }
        return numbers
    }

    /// The number of a binding or a connection: the daemon counts further.
    static func bindingNumber(_ number: Int64, _ what: String = "a binding") throws(StateFault) -> Int32 {
        guard (0...Int64(Numbering.largest)).contains(number)
        else { throw StateFault("\(what) has a number") }
        return Int32(number)
    }
}
