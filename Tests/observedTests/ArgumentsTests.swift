// SPDX-License-Identifier: MIT
// The command line of `observed`, case by case.

import ObserveCore
import Testing
import observed

struct ArgumentsTests {
    @Test func `without options the daemon serves at the default places`() throws {
        let arguments = try Arguments(parsing: [])
        #expect(arguments.command == .serve)
        #expect(arguments.socket == nil)
        #expect(arguments.configuration == .standard)
        #expect(arguments.logLevel == .info)
        #expect(arguments.state == .standard)
    }

    @Test func `an option has its value as the next word or after an equals sign`() throws {
        let apart = ["--socket", "/s", "--config", "c.json", "--state", "none", "--log-level", "debug"]
        let attached = ["--socket=/s", "--config=c.json", "--state=none", "--log-level=debug"]
        for list in [apart, attached] {
            let arguments = try Arguments(parsing: list)
            #expect(arguments.socket == "/s")
            #expect(arguments.configuration == .path("c.json"))
            #expect(arguments.state == .none)
            #expect(arguments.logLevel == .debug)
        }
    }

    @Test(arguments: [
        (["--config", "none"], Arguments.Place.none),
        (["--config", "./none"], .path("./none")),
        (["--config", "a", "--config=b"], .path("b")),
    ])
    func `--config names the configuration's place`(list: [String], expected: Arguments.Place) throws {
        #expect(try Arguments(parsing: list).configuration == expected)
    }

    @Test func `--adapt permits losses, and takes no value`() throws {
        #expect(try !Arguments(parsing: []).mayAdapt)
        #expect(try Arguments(parsing: ["--adapt"]).mayAdapt)
        #expect(throws: UsageError.self) { try Arguments(parsing: ["--adapt=yes"]) }
    }

    @Test func `--state names the folder in which models persist`() throws {
        #expect(try Arguments(parsing: ["--state", "/x"]).state == .path("/x"))
        func folder(_ place: Arguments.Place, _ variables: [String: String]) -> String? {
            place.path(standard: UserFolder.state { variables[$0] })
        }
        #expect(folder(.path("x"), ["HOME": "/h"]) == "x")
        #expect(folder(.none, ["HOME": "/h"]) == nil)
        #expect(folder(.standard, ["HOME": "/h"]) == "/h/.local/state/observed")
        #expect(folder(.standard, ["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/observed")
        #expect(folder(.standard, ["HOME": "/h", "XDG_STATE_HOME": "s"]) == "/h/.local/state/observed")
        #expect(folder(.standard, [:]) == nil)
        #expect(folder(.standard, ["HOME": ""]) == nil)
        #expect(folder(.standard, ["HOME": "h"]) == nil)
    }

    @Test(arguments: [
        (["--help"], Arguments.Command.printHelp),
        (["-h"], .printHelp),
        (["--socket", "x", "--help", "--nonsense"], .printHelp),
        (["--version"], .printVersion),
        (["-v"], .printVersion),
        (["--check-config", "f"], .checkConfiguration("f")),
        (["--check-config=f", "--log-level=error"], .checkConfiguration("f")),
    ])
    func `each command has an option`(list: [String], expected: Arguments.Command) throws {
        #expect(try Arguments(parsing: list).command == expected)
    }

    @Test(arguments: ["error", "warning", "info", "debug"])
    func `each level has its name`(name: String) throws {
        #expect(try Arguments(parsing: ["--log-level", name]).logLevel.name == name)
    }

    @Test(arguments: [
        (["--socket"], "--socket needs a value: --socket PATH"),
        (["--config"], "--config needs a value: --config FILE|none"),
        (["--config="], "--config needs a value: --config FILE|none"),
        (["--state", ""], "--state needs a value: --state DIR|none"),
        (["--check-config"], "--check-config needs a value: --check-config FILE"),
        (["--state"], "--state needs a value: --state DIR|none"),
        (["--log-level", "loud"], "--log-level loud: expected one of error, warning, info, debug"),
        (
            ["--log-level", "warnign"],
            "--log-level warnign: expected one of error, warning, info, debug (did you mean warning?)"
        ),
        (["--sockets", "x"], "unknown option --sockets (did you mean --socket?)"),
        (["--confg=x"], "unknown option --confg (did you mean --config?)"),
        (["-state", "x"], "unknown option -state (did you mean --state?)"),
        (["adapt"], "unexpected argument adapt (did you mean --adapt?)"),
        (["--check"], "unknown option --check (did you mean --check-config?)"),
        (["-s"], "unknown option -s"),
        (["--version=2"], "--version takes no value"),
        (["--help=all"], "--help takes no value"),
        (["serve"], "unexpected argument serve"),
        ([""], "unexpected argument "),
        (["--"], "unknown option --"),
    ])
    func `a wrong command line is refused with a sentence`(list: [String], sentence: String) {
        #expect(throws: UsageError(description: sentence)) { try Arguments(parsing: list) }
    }

    @Test func `the help names every option`() {
        for option in Arguments.options { #expect(help.contains("  \(option) ")) }
        let named = help.matches(of: #/  (--[a-z-]+) /#).map { String($0.1) }
        #expect(named == Arguments.options)
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
