// SPDX-License-Identifier: MIT
// Compiles Swift source text against the library as it was built. Independent of where the text comes from.

/// The toolchain's compiler.
enum SwiftCompiler {
    /// Compiles to SIL, which also finds errors that type-checking does not: data races and missing initialisations.
    ///
    /// - Parameter warnings: Whether warnings count.
    /// - Returns: The compiler's errors and warnings without their places, each text once, in order.
    static func diagnostics(of source: String, warnings: Bool = false) throws -> [String] {
        let directory = try TemporaryDirectory()
        let file = try directory.write(source, to: "Example.swift")
        var options = [
            "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6", "-module-name",
            "Example",
            "-I", "\(BuiltProducts.folder)/Modules", "-I",
            "\(BuiltProducts.package)/Sources/ObserveCore/Sockets/CLinux",
        ]
        if !warnings { options.append("-suppress-warnings") }
        let compiler = try ChildProcess("swiftc", options + [file])
        let result = try compiler.finish()
        let diagnostics: [String] = result.errors.split(separator: "\n").compactMap { line in
            for kind in ["error: ", "warning: "] {
                guard line.hasPrefix(file) || line.hasPrefix("<unknown>"),
                    let range = line.firstRange(of: kind)
                else { continue }
                return "\(line[range.lowerBound...])"
            }
            return nil
        }
        if result.status != .exited(0), diagnostics.isEmpty {
            throw ProcessError(description: "swiftc ended with \(result.status): \(result.errors)")
        }
        var seen: Set<String> = []
        return diagnostics.filter { seen.insert($0).inserted }
    }
}
