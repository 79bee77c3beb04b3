// SPDX-License-Identifier: MIT
// The pictures of docs/scripts.md are those that the tools make. Independent of the pictures' form.

import Testing

struct PictureTests {
    @Test(.timeLimit(.minutes(15)), arguments: ["tree", "plot"])
    func `a picture is the one that the tools make now`(name: String) throws {
        let directory = try TemporaryDirectory()
        let run = try ChildProcess.run(
            "\(BuiltProducts.package)/Tests/Pictures/pictures",
            [BuiltProducts.folder, directory.path]
        )
        #expect(run == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try readText(directory.path("\(name).svg")) == Document.text("docs/\(name).svg"))
        #expect(Document.text("docs/scripts.md").contains("](\(name).svg)"))
    }
}
