extension Signal {
    /// Returns this signal. Disposes of `disposable` when the signal ends, also if that is because it is neither
    /// retained nor observed.
    @_alwaysEmitIntoClient
    package func disposing(_ disposable: any Disposable) -> Signal {
        core.perform { [core] in
            if core.terminated.isRaised { disposable.dispose() } else { core.makeLifetime() += disposable }
        }
        return self
    }
}
