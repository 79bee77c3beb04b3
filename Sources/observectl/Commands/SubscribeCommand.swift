// SPDX-License-Identifier: MIT
// `observectl subscribe`: prints changes as they happen. Independent of the values.

import ObserveCore

extension CommandSpec {
    static let subscribe = CommandSpec(
        name: "subscribe",
        aliases: ["watch"],
        operands: "PATH…",
        summary: "print each change of the values at the key paths",
        options: subscribeForms + [
            OptionSpec("--under", "PREFIX", "a key path that precedes every PATH"),
            OptionSpec("--no-initial", nil, "leave out the values at the start"),
            OptionSpec("--old", nil, "let events carry the value before as well"),
            OptionSpec("--prior", nil, "print an event before each change too"),
            OptionSpec("--origin", nil, "let events name the origin of the change"),
            OptionSpec("--whole", nil, "show arrays whole, as --raw and --format do"),
            OptionSpec("--tag", "TAG", "let events carry this text"),
            OptionSpec("--every", nil, "every change, never coalesced"),
            OptionSpec("--throttle", "TIME", "each path at most once in TIME, its last value always"),
            OptionSpec("--debounce", "TIME", "each path once it has not changed for TIME"),
            OptionSpec("--count", "N", "end after N events, or lines of --format", letter: "n"),
            OptionSpec("--ready", nil, "write 'ready' to standard error after the first values"),
            OptionSpec("--since", "EPOCH:REV", "begin with the changes after that revision"),
            OptionSpec("--resume", "FILE", "continue where the last run with FILE ended"),
            .noWait,
            OptionSpec("--no-reconnect", nil, "the same as --no-wait"),
        ],
        takesPatterns: true,
        details: """
            Each event is one JSON object a line. Several paths are one subscription. '*' matches one name or
            index, '**' at the end everything below: quote them. An operator may follow: films.@max.year.

            In a TEMPLATE, {PATH} is the value at a path, {} at the first. Without PATH, the paths are those of the TEMPLATE.
            {PATH ?? 'text'} has a text for null, and so has {PATH|none}. Expressions are {PATH + 1} or {PATH > 5 ? 'many' : 'few'}.
            {@reason}, {@path}, {@old}, {@nilAt}, {@time}, {@revision} and {@pid} are of the last event. 'waybar' and 'i3blocks'
            print the JSON of these bars.

            Formats follow a colon: {celsius:.1} rounds to one decimal, {title:20} cuts to 20 characters, {position:duration}
            is 3:07, and {PATH:json} is JSON. {title:markup}, :tmux, :polybar and :zsh keep text from being read as markup
            there; :plain shows hidden characters as escapes.

            Examples:
              observectl subscribe --raw --count 1 app.volume
              observectl subscribe --count 1 --format '{videoTitle} – {position}' \\
                --under app.playbackController.player videoTitle position
            """,
        manual: subscribeManual,
        run: { (invocation) throws(CommandError) in
            let subscribing = try Subscribing(invocation)
            try subscribing.run()
        }
    )

    /// Options for the form of the output.
    private static let subscribeForms = [
        OptionSpec(
            "--raw",
            nil,
            "the new value alone, unquoted; PATH<TAB>VALUE of several or a pattern",
            letter: "r"
        ),
        OptionSpec("--format", "TEMPLATE", "one line for each frame that differs from the last"),
        OptionSpec("--all", nil, "print equal lines of --format too, and one for each value of a pattern"),
        OptionSpec("-0", nil, "end lines with NUL; values keep their line feeds"),
        OptionSpec("--time", nil, "add the time at which each event came"),
    ]

    private static let subscribeManual = """
        An event comes when the last component of a path is assigned. It also comes when an earlier one is
        assigned, so that the path leads to another branch. '**' alone is everything. A collection operator may
        follow an array or a model, and a path into each element may follow the operator. Events of one commit,
        a frame, are written together, at once. With --count 0, the command checks the paths and prints nothing.

        'players.*[volume > 10].title' follows the players for which the condition in brackets is true.
        'players.@latest[status == "Playing"].title' follows the one that came to match last, and '@first' is the first in
        their order. With '@count[on]', an operator takes the elements that are on. docs/protocol.md describes conditions.

        Without a daemon, the command says so on standard error and waits for one. So it does when the daemon
        ends or the connection breaks. It also says when the daemon is back. Then it continues with the missed
        changes, if the daemon still has them, else with the current values, even with --no-initial. An upgrade
        of the daemon does not interrupt it.

        It ends with status 0 after N events; with 124 after the timeout, whatever was printed; with 69 under
        --no-wait when the daemon ends; and by SIGPIPE as soon as its output has no reader, also while it
        has nothing to print. With --every it ends with 69 if its output is read too slowly.

        Paths in a template are as on the command line. Of a pattern, {PATH} is the value that changed last. Null is
        nothing without a text for it, and with :json 'null'. '{{' and '}}' are braces, and a backslash makes a character part
        of a path: spaces and the characters of operators need one. docs/protocol.md describes expressions. Line feeds in values become spaces, except with -0. A line that equals the one before is not printed, except
        with --all. If another model takes the place of --under, its values come in one frame, so one line shows them all.
        With --all and a pattern, each event has a line of its own, those at the start too.

        Formats apply from left to right, after the whole expression. Decimals are rounded half away from zero. A format that does
        not fit the value, like :.1 and a text, has no effect.

        For waybar, the values at the first to fifth path are text, tooltip, class, alt and percentage, the first two in
        Pango markup; a member whose value is null is left out. For i3blocks they are full_text, short_text and color, and the
        text is not markup; since it reads no escaped quotation marks, it gets apostrophes.

        With --time, events have the member 'time' in UTC. Lines of --raw have a first column in local time with its offset, as
        {@time} has it. With --resume, FILE has the position EPOCH:REVISION after the last frame. If a signal ends the command during a burst of
        changes, the next run prints some of them again, and misses none. With --format, all missed changes are one line of
        the present values; if none were missed, the next change makes the first line.
        """
}
