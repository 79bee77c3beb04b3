// SPDX-License-Identifier: MIT
// A trait for exit tests: their tasks do not wait behind other tests.

import Testing

/// Runs a test at a high priority, whose tasks have threads of their own.
///
/// Otherwise the task that awaits the end of the process waits behind all other tests. Meanwhile the library's thread finds
/// the ended process again and again, and takes a processor.
struct ExitTestTrait: TestTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Task(priority: .high, operation: function).value
        }
    }
}

extension Trait where Self == ExitTestTrait {
    /// The test starts itself as a process, by `processExitsWith`.
    static var startsProcess: Self { Self() }
}
