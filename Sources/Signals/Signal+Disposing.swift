extension Signal {
    /// This signal, which disposes of something when it ends or is forgotten.
    @inlinable
    package func disposing(_ disposable: any Disposable) -> Signal {
        core.perform { [core] in
            if core.terminated.isRaised { disposable.dispose() } else { core.makeLifetime() += disposable }
        }
        return self
    }
}
