// SPDX-License-Identifier: MIT
// The commands of observectl, and `help`, which prints this table.

/// The commands in the order in which help lists them.
enum CommandTable {
    static let all: [CommandSpec] = [
        .subscribe, .wait, .exec, .get, .set, .merge, .remove, .insert, .increment, .link, .transaction,
        .bind,
        .unbind,
        .bindings, .describe, .explain, .dump, .load, .status, .ping, .upgrade, .demo, .bench, .complete,
        help,
    ]

    private static let help = CommandSpec(
        name: "help",
        operands: "[COMMAND]",
        operandCount: 0...1,
        summary: "print help, on a command if one is named",
        options: [],
        asksDaemon: false,
        details: [],
        run: { (invocation) throws(CommandError) in
            guard let name = invocation.operands.first else {
                return try invocation.print(Array(Help.overview(of: all).utf8))
            }
            try invocation.print(Array(Help.text(of: all.named(name)).utf8))
        }
    )
}
