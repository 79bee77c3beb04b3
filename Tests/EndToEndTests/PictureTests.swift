// SPDX-License-Identifier: MIT
// The pictures of docs/scripts.md, and docs/openrpc.json, are those that the tools make. Independent of their form.

import Testing

struct PictureTests {
    @Test(.timeLimit(.minutes(15)), arguments: ["tree.svg", "plot.svg", "openrpc.json"])
    func `a file of the documents is the one that the tools make now`(name: String) throws {
        let directory = try TemporaryDirectory()
        let run = try ChildProcess.run(
            "\(BuiltProducts.package)/Tests/Pictures/pictures",
            [BuiltProducts.folder, directory.path]
        )
        #expect(run == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try readText(directory.path(name)) == Document.text("docs/\(name)"))
        let isShown = Document.text("docs/scripts.md").contains("](\(name))")
        #expect(isShown == name.hasSuffix(".svg"))
    }
}
