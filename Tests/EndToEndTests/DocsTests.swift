// SPDX-License-Identifier: MIT
// Runs every example in the documents with the real programs.

import ObserveCore
import TestSupport
import Testing

struct DocsTests {
    private static let transcripts = Document.blocks("transcript", in: "docs/protocol.md")
    private static let sample = Document.text("config/observed.json")

    @Test func `the documents have examples`() {
        #expect(DocsTests.transcripts.count > 20)
        #expect(!Document.blocks("transcript-of-expressions", in: "docs/protocol.md").isEmpty)
        #expect(Document.blocks("transcript-of-choices", in: "docs/protocol.md").count == 2)
        #expect(!DocsTests.sample.isEmpty)
    }

    /// The answer of a daemon with the sample configuration to `rpc.discover`.
    private static let described = Result {
        let daemon = try DaemonUnderTest(configuration: DocsTests.sample)
        let said = try daemon.connect().ask(#"{"id":1,"method":"rpc.discover"}"#)
        return try #require(try Value(json: said ?? "")["result"])
    }

    @Test(.timeLimit(.minutes(15)), arguments: transcripts)
    func `the daemon answers as each transcript shows, and as rpc.discover describes`(transcript: Block)
        throws
    {
        let daemon = try DaemonUnderTest(configuration: DocsTests.sample)
        var validator = ProtocolValidator(document: try DocsTests.described.get())
        let connection = try daemon.connect()
        for line in transcript.lines where line.hasPrefix("> ") { validator.send(String(line.dropFirst(2))) }
        try connection.replay(transcript) { shown, said in
            #expect(Document.matches(shown, "< \(said)"), "shown: \(shown)\nsaid:  < \(said)")
            #expect(validator.receive(said).isEmpty, "\(said)")
        }
        #expect(validator.checked.results + validator.checked.errors > 0)
        // An answer follows all events of earlier commits.
        let end = try connection.ask(#"{"id":"end","method":"ping"}"#)
        #expect(end == #"{"jsonrpc":"2.0","id":"end","result":{}}"#, "more was said than is shown")
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: Document.blocks("transcript-of-expressions", in: "docs/protocol.md")
    )
    func `the daemon computes expressions as the document shows`(transcript: Block) throws {
        try replay(transcript, with: "configuration-with-expressions")
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: Document.blocks("transcript-of-choices", in: "docs/protocol.md")
    )
    func `the daemon follows conditions and choices as the document shows`(transcript: Block) throws {
        try replay(transcript, with: "configuration-with-choices")
    }

    private func replay(_ transcript: Block, with name: String) throws {
        let blocks = Document.blocks(name, in: "docs/protocol.md")
        let configuration = try #require(blocks.first).lines.joined(separator: "\n")
        let daemon = try DaemonUnderTest(configuration: configuration)
        let connection = try daemon.connect()
        try connection.replay(transcript) { shown, said in
            #expect(Document.matches(shown, "< \(said)"), "shown: \(shown)\nsaid:  < \(said)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the configurations in the manual are valid`() throws {
        let examples = Document.text("docs/observed.json.5").split(separator: "\n.EX\n").dropFirst()
        #expect(examples.count == 8)
        let directory = try TemporaryDirectory()
        let schema = try Value(json: Document.text("docs/observed.schema.json"))
        for example in examples {
            let json = try #require(example.split(separator: "\n.EE\n").first)
            let file = try directory.write(String(json), to: "c.json")
            let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-config", file])
            #expect(checked == Finished(status: .exited(0), output: "", errors: ""))
            #expect(try SchemaValidator(schema).faults(Value(json: String(json)), schema, at: "").isEmpty)
        }
    }

    @Test func `the manual states the limits' defaults`() {
        let manual = Document.text("docs/observed.json.5")
        let limits = ServerLimits()
        for limit in ServerLimits.all {
            #expect(manual.contains(".BR \(limit.name) \" (\(limits[keyPath: limit.value]))\"\n"))
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the documented exit statuses equal those of the help`() throws {
        let help = try ChildProcess.run(BuiltProducts.observectl, ["--help"]).output
        let rows = Document.text("docs/scripts.md").matches(of: /\| (\S+) \| (.+) \|\n/).filter {
            $0.1 != "exit"
        }
        #expect(rows.count == 7)
        for row in rows { #expect(help.contains("  \(row.1.padding(to: 7))\(row.2)\n")) }
    }

    // MARK: Shells

    /// Optional tools that examples use. Without a tool the test skips its examples; CI has all of them.
    private static let tools = ["socat", "nc", "jq", "python3"]

    private static func canRun(_ command: String) -> Bool {
        let words = command.split(separator: " ").map(String.init)
        return tools.allSatisfy { !words.contains($0) || isInstalled($0) }
    }

    private static func isInstalled(_ tool: String) -> Bool {
        (try? ChildProcess.run("sh", ["-c", "command -v \(tool)"]).status) == .exited(0)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the README's first minute prints the output that it shows`() throws {
        let start = "\nobserved --config none --state none\n"
        let before = try #require(Document.text("README.md").firstRange(of: start))
        // That daemon has the socket of the service.
        #expect(!Document.text("README.md")[..<before.lowerBound].contains("systemctl"))
        try DocsTests.type("README.md", beside: DaemonUnderTest(), inOneShell: true)
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["docs/scripts.md", "docs/types.md"])
    func `a page's commands print the output that it shows`(page: String) throws {
        try DocsTests.type(page, beside: DaemonUnderTest(configuration: DocsTests.sample))
    }

    /// Types all commands of a page into a shell, and compares the output.
    ///
    /// - `inOneShell`: whether all blocks are one session, so that later ones have output of earlier ones' commands.
    private static func type(_ page: String, beside daemon: DaemonUnderTest, inOneShell: Bool = false) throws
    {
        let blocks = Document.blocks("console", in: page)
        #expect(!blocks.isEmpty)
        let session = try Shell(in: daemon.directory.path)
        for block in blocks {
            let shell = inOneShell ? session : try Shell(in: daemon.directory.path)
            var isRunning = true
            for line in block.lines {
                if line.hasPrefix("$ ") {
                    let command = String(line.dropFirst(2))
                    isRunning = DocsTests.canRun(command)
                    if isRunning { try shell.type(command) }
                } else if isRunning {
                    let said = try shell.readLine()
                    #expect(said == line, "\(block)")
                }
            }
            try shell.type("echo 'the end'")
            let said = try shell.readLine()
            #expect(said == "the end", "more is printed than \(block) shows")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the demo prints the documented events`() throws {
        let shown = try #require(Document.blocks("json", in: "docs/scripts.md").first)
        let demo = try ChildProcess.run(BuiltProducts.observectl, ["demo"])
        #expect(demo.status == .exited(0))
        #expect(demo.output == shown.text)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the Python client follows a path`() throws {
        guard DocsTests.isInstalled("python3") else { return }
        let program = try #require(Document.blocks("python", in: "docs/scripts.md").first)
        let daemon = try DaemonUnderTest(configuration: DocsTests.sample)
        let environment = ["XDG_RUNTIME_DIR": daemon.directory.path]
        let python = try ChildProcess("python3", ["-c", program.text], environment: environment)
        #expect(try python.readLine() == "volume: 50")
        _ = try daemon.connect().ask(#"{"id":1,"method":"set","params":{"path":"app.volume","value":60}}"#)
        #expect(try python.readLine() == "volume: 60")
        #expect(try daemon.stop().status == .exited(0))
        #expect(try python.finish() == Finished(status: .exited(0), output: "", errors: ""))
    }
}

/// A shell that mixes output and errors as a terminal does. Its `$PATH` has the programs, and they find the daemon's
/// socket.
struct Shell {
    private let process: ChildProcess

    /// - Parameter folder: the folder of `observed.sock`.
    init(in folder: String) throws {
        let path = "\(BuiltProducts.folder):\(variable("PATH") ?? "")"
        let environment = ["XDG_RUNTIME_DIR": folder, "PATH": path]
        process = try ChildProcess("sh", environment: environment)
        try type("exec 2>&1")
    }

    func type(_ command: String) throws { try process.send("\(command)\n") }

    func readLine() throws -> String? { try process.readLine() }
}

extension Substring {
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}
