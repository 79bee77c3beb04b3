// SPDX-License-Identifier: MIT
// The commands of observectl, and `help`, which prints this table.

/// The commands in the order in which help lists them.
enum CommandTable {
    static let all: [CommandSpec] = [
        .subscribe, .wait, .exec, .get, .diff, .list, .tree, .log, .plot, .set, .toggle, .edit, .merge,
        .remove, .insert, .increment, .link, .transaction, .revert, .bind, .unbind, .bindings, .hold,
        .publish, .describe, .types, .explain, .why, .call, .pipe, .dump, .load, .bridge, .status, .clients,
        .top, .ping, .upgrade, .initialize, .doctor, .demo, .bench, .complete, help,
    ]

    private static let help = CommandSpec(
        usage: "help [COMMAND]",
        summary: "print help, on a command if one is named",
        options: [OptionSpec("--man", "print the manual page, in mdoc")],
        asksDaemon: false,
        details: """
            Examples:
              observectl help subscribe
              observectl help --man | man -l -
            """
    ) { (invocation) throws(CommandError) in
        if invocation.arguments.has("--man") { return try invocation.write(ManualPage.text(of: all).bytes) }
        guard let name = invocation.operands.first
        else { return try invocation.print(Help.overview(of: all).bytes) }
        try invocation.print(Help.text(of: all.named(name)).bytes)
    }
}
