extension Signal where Failure == Never {
    /// Gives a stream that cannot fail an error type.
    ///
    /// ```swift
    /// let checked = lines.promoteError(ParseError.self).attempt(check)  // where `lines` cannot fail
    /// ```
    ///
    /// - Parameter failure: The error type. No error is ever sent.
    @_alwaysEmitIntoClient
    public func promoteError<NewFailure>(_ failure: NewFailure.Type = NewFailure.self) -> Signal<Value, NewFailure> {
        mapEnd("promoteError") { $0.promoted() }
    }

    /// Returns this stream unchanged: it cannot fail.
    @_alwaysEmitIntoClient
    public func promoteError(_ failure: Never.Type = Never.self) -> Signal { self }
}

extension Signal {
    /// Returns this stream unchanged: it already has this error type.
    @_alwaysEmitIntoClient
    public func promoteError(_ failure: Failure.Type = Failure.self) -> Signal { self }
}
