// SPDX-License-Identifier: MIT
// The names that other programs have for options of this one. Independent of the table of commands.

enum ForeignOption {
    /// The option, and the names.
    private static let offers = """
        --lifetime: ttl ex px expire expires
        --since: after from start
        --at: revision rev
        --count: limit lines max-count C
        --follow: watch w
        --format: template output o
        --interval: delay d
        --timeout: max-time
        --raw: plain text
        --socket: host unix
        --once: n
        """
    /// Options for all that is below a path, and what the commands have in their place.
    private static let descent = ["prefix", "recursive", "R", "r", "rf", "fr"]
    private static let below = [
        "subscribe": "PATH.** is all that is below PATH", "exec": "PATH.** is all that is below PATH",
        "remove": "remove removes all that is below PATH", "get": "the value has all that is below PATH",
        "ls": "'observectl tree PATH' draws all that is below PATH",
    ]
    /// The tests of test(1), as `wait` has them.
    private static let tests = [
        "eq": "PATH eq VALUE", "ne": "PATH ne VALUE", "lt": "PATH lt VALUE", "le": "PATH le VALUE",
        "gt": "PATH gt VALUE", "ge": "PATH ge VALUE", "z": "PATH gone", "n": "PATH exists",
    ]

    /// The end of a sentence about an unknown option; nil for a name that no other program has.
    static func remark(on name: String, of command: String?, _ specs: [OptionSpec]) -> String? {
        let word = String(name.drop { $0 == "-" })
        if command == "wait", let test = tests[word] { return "; did you mean '\(test)'?" }
        if command == "increment", Double(name) != nil { return "; BY is behind PATH" }
        if let command, let remark = below[command], descent.contains(word) { return "; \(remark)" }
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
