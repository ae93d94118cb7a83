import Dispatch
import Foundation
import TopProtocol

/// What `signals-top` does in a terminal.
package struct TopProgram: Sendable {
    /// What the program reacts to.
    private enum Input: Sendable {
        case reply(TopProtocol.Reply)
        case keys([Key])
        case time
        case resized
        case stopped
        case failed(any Error)
    }

    private let client: TopClient
    private let terminal: Terminal
    private let interval: Duration

    package init(_ client: TopClient, _ terminal: Terminal, interval: Duration) {
        (self.client, self.terminal, self.interval) = (client, terminal, interval)
    }

    /// Runs until the user quits or a signal arrives. Restores the terminal in any case.
    package func run(_ state: TopState) async throws {
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let signals = [(SIGINT, Input.stopped), (SIGTERM, .stopped), (SIGHUP, .stopped), (SIGWINCH, .resized)].map {
            number, input in
            // The source still sees it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(input) }
            source.resume()
            return source
        }
        terminal.enter()
        terminal.readKeys { continuation.yield(.keys($0)) }
        let tasks = [
            Task {
                do {
                    while true { continuation.yield(.reply(try await client.next())) }
                } catch {
                    continuation.yield(.failed(error))
                }
            },
            Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: interval)
                    continuation.yield(.time)
                }
            },
        ]
        defer {
            for task in tasks { task.cancel() }
            for source in signals { source.cancel() }
            terminal.leave()
        }
        try await handle(inputs, state)
    }

    private func handle(_ inputs: AsyncStream<Input>, _ start: TopState) async throws {
        var state = start
        var model = TopModel(client.greeting)
        var isWaiting = true
        client.send(TopProtocol.Request(.snapshot))
        for await input in inputs {
            let size = terminal.size
            switch input {
            case .stopped: return
            case .failed(let error): throw error
            case .resized: break
            case .time:
                // One request at a time, so that nothing piles up if the server or this terminal is slow.
                if isWaiting || state.isPaused { continue }
                isWaiting = true
                client.send(TopProtocol.Request(.snapshot))
                continue
            case .reply(let reply):
                if let picture = reply.snapshot {
                    isWaiting = false
                    if !state.isPaused { model.receive(picture) }
                }
                if let events = reply.events { state.receive(events) }
                if let recording = reply.recording { state.receive(recording) }
                if let problem = reply.problem { state.message = problem.text }
            case .keys(let keys):
                for key in keys {
                    switch state.press(key, model, height: size.height) {
                    case .quit: return
                    case .follow(let node): client.send(TopProtocol.Request(.follow, node: node))
                    case .unfollow: client.send(TopProtocol.Request(.unfollow))
                    case .record: client.send(TopProtocol.Request(.record))
                    case .stopRecording: client.send(TopProtocol.Request(.stopRecording))
                    case nil: break
                    }
                }
            }
            terminal.show(TopScreen(model, state, width: size.width, height: size.height))
        }
    }
}
