// SPDX-License-Identifier: MIT
// The names that other programs have for options of this one. Independent of the table of commands.

enum ForeignOption {
    /// The option, and the names.
    private static let offers = """
        --lifetime: ttl ex px expire expires
        --since: after from start
        --at: revision rev
        --count: limit lines max-count
        --follow: watch w
        --format: template output o
        --interval: delay d
        --timeout: max-time
        --raw: plain text
        --socket: host unix
        --once: n
        """
    /// The tests of test(1), as `wait` has them.
    private static let tests = [
        "eq": "PATH eq VALUE", "ne": "PATH ne VALUE", "lt": "PATH lt VALUE", "le": "PATH le VALUE",
        "gt": "PATH gt VALUE", "ge": "PATH ge VALUE", "z": "PATH gone", "n": "PATH exists",
    ]

    /// The end of a sentence about an unknown option; nil for a name that no other program has.
    static func remark(on name: String, of command: String?, _ specs: [OptionSpec]) -> String? {
        let word = String(name.drop { $0 == "-" })
        if command == "wait", let test = tests[word] { return "; did you mean '\(test)'?" }
        for line in offers.split(separator: "\n") {
            let parts = line.split(separator: ": ")
            guard specs.named(String(parts[0])) != nil, parts[1].split(separator: " ").contains(word[...])
            else { continue }
            return "; did you mean \(parts[0])?"
        }
        // What writes a VALUE prints none.
        let printsJSON = specs.named("--compact") != nil && specs.named("--string") == nil
        guard ["json", "j"].contains(word), printsJSON else { return nil }
        return "; in a pipe, JSON is the form without it, and on a terminal with --pretty or --compact"
    }
}
