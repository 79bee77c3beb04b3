// SPDX-License-Identifier: MIT
// Every example in the documents, tried on the real programs.

import Testing

struct DocsTests {
    private static let transcripts = Document.blocks("transcript", in: "docs/protocol.md")
    private static let sample = Document.text("config/observed.json")

    @Test func `the documents have examples`() {
        #expect(DocsTests.transcripts.count > 20)
        #expect(!DocsTests.sample.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)), arguments: transcripts)
    func `each transcript is what the daemon says`(transcript: Block) throws {
        let daemon = try DaemonUnderTest(configuration: DocsTests.sample)
        let connection = try daemon.connect()
        for line in transcript.lines {
            if line.hasPrefix("> ") {
                try connection.send(String(line.dropFirst(2)))
            } else {
                let said = try connection.readLine() ?? "nothing"
                #expect(Document.matches(line, "< \(said)"), "shown: \(line)\nsaid:  < \(said)")
            }
        }
        // Any answer comes after all that was committed before it.
        let end = try connection.ask(#"{"id":"end","method":"ping"}"#)
        #expect(end == #"{"jsonrpc":"2.0","id":"end","result":{}}"#, "more was said than is shown")
    }
}
