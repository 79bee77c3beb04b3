// SPDX-License-Identifier: MIT
// Debug builds end, with a sentence, if two threads use one model's observers at once.

#if DEBUG
    import Dispatch
    import Testing

    @testable import ObserveCore
    @testable import ObserveModels

    @Suite struct ThreadUseTests {
        /// Runs `body` on another thread, and waits for its end.
        private static func elsewhere(_ body: @escaping () -> Void) {
            nonisolated(unsafe) let body = body
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                unsafe body()
                done.signal()
            }
            done.wait()
        }

        private static func expectWords(_ result: ExitTest.Result?, _ type: String) {
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("two threads use the observers of one \(type) at once"))
        }

        @Test(.startsProcess) func `an observation that begins during another thread's call`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let player = Player("Alien")
                let token = player.observe(\.videoTitle) { _ in
                    Self.elsewhere { _ = player.observe(\.position) { _ in } }
                }
                withExtendedLifetime(token) {}
            }
            Self.expectWords(result, "Player")
        }

        @Test(.startsProcess) func `an observation that ends during another thread's call`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let player = Player("Alien")
                let other = player.observe(\.position) { _ in }
                let token = player.observe(\.videoTitle) { _ in Self.elsewhere { other.cancel() } }
                withExtendedLifetime(token) {}
            }
            Self.expectWords(result, "Player")
        }

        @Test(.startsProcess) func `an in-place change that ends on another thread`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let pause = ObservationPause()
                Self.elsewhere { pause.end() }
            }
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("an in-place change of a published property waited"))
        }

        @Test(.startsProcess) func `an assignment during another thread's transaction`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let player = Player("Alien")
                let token = player.observe(\.videoTitle) { _ in }
                transaction {
                    player.videoTitle = "Brazil"
                    Self.elsewhere { player.videoTitle = "Metropolis" }
                }
                withExtendedLifetime(token) {}
            }
            Self.expectWords(result, "Player")
        }

        @Test(.startsProcess) func `a model that is released during another thread's call`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                var player: Player? = Player("Alien")
                let controller = PlaybackController(player)
                let token = controller.observe(\.player?.videoTitle) { _ in }
                transaction {
                    player?.videoTitle = "Brazil"
                    Self.elsewhere {
                        controller.player = nil
                        player = nil
                    }
                }
                withExtendedLifetime(token) {}
            }
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("two threads use the observers of one Pla"))
        }

        @Test(.startsProcess) func `two threads that begin to observe at once`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                nonisolated(unsafe) let player = Player("Alien")
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    var tokens: [ObservationToken] = []
                    for _ in 0..<100_000 { tokens.append(unsafe player.observe(\.videoTitle) { _ in }) }
                }
            }
            Self.expectWords(result, "Player")
        }

        @Test func `calls of different threads one after another are correct`() {
            let player = Player("Alien")
            var titles: [String] = []
            var token: ObservationToken?
            Self.elsewhere { token = player.observe(\.videoTitle) { titles.append($0) } }
            player.videoTitle = "Brazil"
            Self.elsewhere { transaction { player.videoTitle = "Metropolis" } }
            token?.cancel()
            Self.elsewhere { player.videoTitle = "Solaris" }
            #expect(titles == ["Alien", "Brazil", "Metropolis"])
        }
    }
#endif
