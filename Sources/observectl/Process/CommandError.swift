// SPDX-License-Identifier: MIT
// The errors of commands, with their messages and endings, and the errors that become them. Independent of commands.

import ObserveCore

enum CommandError: Error, Equatable {
    /// The command line is wrong: one sentence, and the command whose help explains it.
    case usage(String, command: String?)
    case client(ClientError)
    case output(StandardStreams.WriteOutcome)
    case input(SocketError)
    /// The deadline passed, and that was lacking.
    case expired(String)
    /// A check of the command failed.
    case failed(String)
    /// The command ends like this, without a message.
    case quiet(Ending)

    var ending: Ending {
        switch self {
        case .usage: .status(.usage)
        case .client(.refused), .client(.goodbye("accessDenied")): .status(.refused)
        case .client(.timedOut), .output(.timedOut), .expired: .status(.timedOut)
        case .client(.abandoned), .output(.readerGone): .brokenPipe
        case .client: .status(.unavailable)
        case .output, .input: .status(.inputOutput)
        case .failed: .status(.refused)
        case .quiet(let ending): ending
        }
    }

    /// The message for standard error; nil if the reader of the output has closed it.
    var sentence: String? {
        switch self {
        case .usage(let sentence, _), .failed(let sentence): sentence
        case .expired(let lack): "\(ClientError.timedOut.description): \(lack)"
        case .client(.abandoned), .output(.readerGone), .output(.done), .quiet: nil
        case .client(.unreachable(.noSocket(let path))):
            "\(SocketError.noSocket(path)) 'observectl doctor' names the fault"
        case .client(let error): error.description
        case .output(.timedOut): ClientError.timedOut.description
        case .output(.failed(let code)): "standard output: \(SocketError.text(of: code))"
        case .input(let error): error.description
        }
    }

    /// The line that points to the help; nil unless the command line is wrong.
    var hint: String? {
        guard case .usage(_, let command) = self else { return nil }
        return "Try 'observectl \(command.map { "\($0) " } ?? "")--help' for more information."
    }

    static func unreachable(_ error: SocketError) -> CommandError { .client(.unreachable(error)) }

    /// A refusal in the words of the command line.
    static func refused(_ refusal: DaemonError, saying message: String) -> CommandError {
        .client(.refused(DaemonError(code: refusal.code, message: message, data: refusal.data)))
    }

    /// Whether a newer daemon continues on the same socket.
    var isUpgrade: Bool { self == .client(.goodbye(reason: "upgrade")) }

    /// Whether no rule lets the client do that.
    var isDenied: Bool {
        if case .client(.refused(let refusal)) = self { refusal.code == .accessDenied } else { false }
    }
}

extension DaemonError {
    /// The index of the refused operation.
    var operation: Int? { data?.int("operation").map { Int($0) } }
}

/// The result, or another error in the place of the one that is thrown.
func attempt<Result: ~Copyable, Fault: Error, Other: Error>(
    _ body: @autoclosure () throws(Fault) -> Result,
    or other: (Fault) -> Other
) throws(Other) -> Result {
    do throws(Fault) { return try body() } catch { throw other(error) }
}

func attempt<Result: ~Copyable>(_ body: @autoclosure () throws(ClientError) -> Result) throws(CommandError)
    -> Result
{
    try attempt(body(), or: CommandError.client)
}

func attemptInput<Result>(_ body: @autoclosure () throws(SocketError) -> Result) throws(CommandError)
    -> Result
{
    do throws(SocketError) { return try body() } catch .timedOut { throw .client(.timedOut) } catch {
        throw .input(error)
    }
}

/// An error ends the command with that sentence and its own.
func attempt<Result>(_ sentence: String, _ body: @autoclosure () throws -> Result) throws(CommandError)
    -> Result
{
    do { return try body() } catch { throw .failed("\(sentence): \(error)") }
}

extension StandardStreams {
    /// Writes bytes to standard output, at once.
    func put(_ bytes: [UInt8], until deadline: MonotonicTime? = nil) throws(CommandError) {
        let outcome = write(bytes, until: deadline)
        guard outcome == .done else { throw .output(outcome) }
    }
}
