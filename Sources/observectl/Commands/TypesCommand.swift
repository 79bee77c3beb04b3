// SPDX-License-Identifier: MIT
// `observectl types`: declared types in the notation of other tools.

import ObserveCore

extension CommandSpec {
    static let types = CommandSpec(
        name: "types",
        operands: "PATH",
        summary: "print the declared type at a key path as JSON Schema, or as Swift classes",
        options: [
            OptionSpec("--json-schema", nil, "print a JSON Schema of the value, as get prints it"),
            OptionSpec("--swift", nil, "print Swift classes for DaemonClient.mirror"),
        ],
        details: """
            Types that the type needs are included. A JSON Schema leaves out computed and weak properties, as values do.
            A property that a Swift class can't have, such as a dictionary, is a comment.

            Examples:
              observectl types --json-schema library > library.schema.json
              observectl types --swift library > Library.swift
            """,
        run: { (invocation) throws(CommandError) in
            let isSwift = invocation.arguments.has("--swift")
            guard isSwift != invocation.arguments.has("--json-schema") else {
                throw .usage("types needs --json-schema or --swift", command: "types")
            }
            let answer = try invocation.request(
                "describe",
                ["path": invocation.operand(0), "types": RawJSON(.bool(true))]
            )
            guard let described = (try? answer.value()).flatMap(DescribedTypes.init) else {
                throw .client(.malformed("an answer without types"))
            }
            guard isSwift else { return try invocation.show(RawJSON(described.jsonSchema)) }
            guard !described.types.isEmpty else {
                throw .failed("\(invocation.operands[0].printable) has no declared type of a model")
            }
            try invocation.write(Array(described.swiftSource.utf8))
        }
    )
}
