// SPDX-License-Identifier: MIT
// What a release promises to those who install it: versions, the form of the changelog, the package.

import ObserveCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct ReleaseTests {
    /// Runs a shell command with an empty `/proc`.
    private static func runWithoutProc(_ command: String) throws -> Finished {
        let hiding = "mount -t tmpfs none /proc && \(command)"
        return try ChildProcess.run("unshare", ["--map-root-user", "--mount", "sh", "-c", hiding])
    }

    private static let canHideProc = (try? runWithoutProc("true").status) == .exited(0)

    @Test(.enabled(if: canHideProc), arguments: [("observed", Int32(1)), ("observectl", 74)])
    func `without proc, a program says so and ends`(program: String, status: Int32) throws {
        let finished = try ReleaseTests.runWithoutProc("'\(BuiltProducts.folder)/\(program)' --version")
        let sentence = "\(program): /proc is not mounted, and \(program) needs it\n"
        #expect(finished == Finished(status: .exited(status), output: "", errors: sentence))
    }

    @Test func `both programs print the version and the commit of the build`() throws {
        let said = try [BuiltProducts.observed, BuiltProducts.observectl].map { program in
            try ChildProcess.run(program, ["--version"])
        }
        #expect(said[0] == said[1])
        #expect(said[0].status == .exited(0))
        let form = /observed (\d+\.\d+\.\d+)( \([0-9a-f]{12}\+?\))?\n/
        #expect(try form.wholeMatch(in: said[0].output)?.1 == Substring(version))
    }

    @Test func `without Swift, make installs the build that exists, or says how to get one`() throws {
        func release(_ build: String) throws -> Finished {
            let variables = ["SWIFT=/nowhere/swift", "built=\(build)"]
            return try ChildProcess.run("make", ["-s", "-C", BuiltProducts.package, "release"] + variables)
        }
        #expect(try release(BuiltProducts.folder).status == .exited(0))
        let missing = try release("/nowhere")
        #expect(missing.status == .exited(2))
        for part in ["SWIFT=", "https://www.swift.org/install"] {
            #expect(missing.errors.contains(part), "\(missing)")
        }
    }

    @Test func `the changelog has the form of Keep a Changelog`() {
        let lines = Document.text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("##") }
        #expect(lines.first == "## [Unreleased]")
        let kinds = [
            "What clients notice", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security",
        ]
        var last = -1
        for line in lines {
            if line.hasPrefix("### ") {
                let place = kinds.firstIndex(of: String(line.dropFirst(4))) ?? -1
                #expect(place > last, "\(line)")
                last = place
            } else {
                #expect(
                    line == "## [Unreleased]" || line.contains(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/)
                )
                last = -1
            }
        }
    }

    @Test func `the package lines of the documents find the library`() throws {
        let directory = try TemporaryDirectory()
        let clone = directory.path("observed")
        let git =
            "git clone -q --depth 1 'file://\(BuiltProducts.package)' '\(clone)' && git -C '\(clone)' tag \(version)"
        // Without git, the sources are not a clone, and can't be a dependency with a version.
        guard try ChildProcess.run("sh", ["-c", git]).status == .exited(0) else { return }
        let block = try #require(
            Document.blocks("swift", in: "README.md").first { $0.text.contains(".package(url:") }
        )
        let lines = block.text.replacing(/url: "[^"]*"/, with: "url: \"file://\(clone)\"")
        let manifest = "// swift-tools-version: 6.3\nimport PackageDescription\n\(lines)"
        let package = directory.path("player")
        let make =
            "mkdir -p '\(package)/Sources/player' && echo 'import ObserveCore' > '\(package)/Sources/player/main.swift'"
        try #require(ChildProcess.run("sh", ["-c", make]).status == .exited(0))
        try directory.write(manifest, to: "player/Package.swift")
        let resolved = try ChildProcess.run(
            "swift",
            ["package", "--package-path", package, "--disable-dependency-cache", "show-dependencies"],
            environment: ["HOME": directory.path]
        )
        #expect(resolved.status == .exited(0), "\(resolved.errors)")
        #expect(resolved.output.contains("observed<"))
    }
}
