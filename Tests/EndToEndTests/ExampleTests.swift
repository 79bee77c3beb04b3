// SPDX-License-Identifier: MIT
// Runs the example program with the shell session from its article.

import Testing

struct ExampleTests {
    private static let article = "Sources/ObserveCore/ObserveCore.docc/Hosting.md"

    @Test(.timeLimit(.minutes(15)))
    func `the article's session prints what it shows`() throws {
        let directory = try TemporaryDirectory()
        let program = try ChildProcess(
            "\(BuiltProducts.folder)/ExamplePlayer",
            [directory.path("observed.sock")]
        )
        #expect(try program.readLine() == "ready")
        let blocks = Document.blocks("console", in: ExampleTests.article)
        #expect(blocks.count == 1)
        let shell = try Shell(in: directory.path)
        for line in blocks.flatMap(\.lines) {
            if line.hasPrefix("$ ") {
                try shell.type(String(line.dropFirst(2)))
            } else {
                #expect(try shell.readLine() == line)
            }
        }
        #expect(try program.finish() == Finished(status: .exited(0), output: "", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a mirror in another process shows the player's titles, and skips a film`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("observed.sock")
        let program = try ChildProcess("\(BuiltProducts.folder)/ExamplePlayer", [socket])
        #expect(try program.readLine() == "ready")
        let remote = try ChildProcess("\(BuiltProducts.folder)/ExampleRemote", [socket])
        #expect(try remote.finish() == Finished(status: .exited(0), output: "Alien\nBrazil\n", errors: ""))
        let shown = try ChildProcess(BuiltProducts.observectl, ["--socket", socket, "get", "player.index"])
        #expect(try shown.finish() == Finished(status: .exited(0), output: "1\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a program with a loop of its own serves its model, and follows another program's`() throws {
        let directory = try TemporaryDirectory()
        let (player, game) = (directory.path("player.sock"), directory.path("game.sock"))
        let program = try ChildProcess("\(BuiltProducts.folder)/ExamplePlayer", [player])
        #expect(try program.readLine() == "ready")
        let loop = try ChildProcess("\(BuiltProducts.folder)/ExampleLoop", [player, game])
        #expect(try loop.readLine() == "silence")
        #expect(try loop.readLine() == "Alien")
        func observectl(_ socket: String, _ words: String...) throws -> String {
            let tool = try ChildProcess(BuiltProducts.observectl, ["--socket", socket] + words)
            return try tool.finish().output
        }
        #expect(try observectl(player, "set", "player.index", "1") == "")
        #expect(try loop.readLine() == "Brazil")
        #expect(try observectl(game, "get", "--raw", "game.music") == "Brazil\n")
        #expect(try observectl(game, "set", "game.isOpen", "false") == "")
        #expect(try loop.finish() == Finished(status: .exited(0), output: "", errors: ""))
    }

    @Test func `the article shows the whole program, which is short`() throws {
        let program = try readText("\(BuiltProducts.package)/Tests/Example/main.swift")
        let lines = program.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 60)
        let shown = Document.blocks("swift", in: ExampleTests.article)
        #expect(shown.count == 2)
        #expect(program.hasSuffix(shown[0].text))
        #expect(
            try readText("\(BuiltProducts.package)/Tests/Example/Loop/main.swift").hasSuffix(shown[1].text)
        )
    }

    @Test func `the articles' results name existing tests`() throws {
        let article = Document.text("Sources/ObserveCore/ObserveCore.docc/Results.md")
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasSuffix("| test |") }
        #expect(rows.count > 20)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } }
            let cell = try #require(cells.last { !$0.isEmpty })
            let parts = cell.split(separator: "`", omittingEmptySubsequences: true).map(String.init)
            let suite = try #require(parts.first).split(separator: " ").first.map(String.init) ?? ""
            let name = try #require(parts.dropFirst().first, "\(row)")
            let source = Document.text("Tests/ObserveCoreTests/\(suite).swift")
            #expect(source.contains("func `\(name)`"), "\(row)")
        }
    }
}
