// SPDX-License-Identifier: MIT
// `observectl publish`: lines of JSON become a model while the command runs. Independent of the program that writes them.

import ObserveCore

extension CommandSpec {
    static let publish = CommandSpec(
        name: "publish",
        operands: "PATH",
        summary: "make lines of JSON on standard input the value at PATH, while it runs",
        options: [
            OptionSpec("--set", nil, "let each line replace the value, instead of merging into the model"),
            OptionSpec("--keep", nil, "leave the value there at the end"),
            .parents,
            OptionSpec("--ready", nil, "write 'ready' to standard error once the first line is published"),
            .noWait,
        ],
        details: """
            Each line is one commit. A line that is an object is merged into the model (RFC 7396): it sets the
            members that it names, null removes them, and links and subscribers stay. At the end of the input,
            or when the command ends, the value is gone.

            Examples:
              echo '{"title": "Alien"}' | observectl publish player
              printf '%s\\n' '{"a": 1}' '{"b": 2}' | observectl publish --keep job
            """,
        manual: """
            Without a daemon, or if it ends, the command waits for one, and publishes the value again. A line that is not
            JSON ends the command with status 2, and its number is on standard error.

            If another client writes a part of the value, the command says so on standard error, and leaves the part until
            a line names it. If another client writes PATH itself, or a model on the way to it, the command says so too. It
            leaves that value until the next line, which publishes the whole value again. So the later of two
            publishers is visible, and neither overwrites the other without new input.
            """,
        run: { (invocation) throws(CommandError) in
            let publishing = try Publishing(invocation)
            try publishing.run()
        }
    )
}
