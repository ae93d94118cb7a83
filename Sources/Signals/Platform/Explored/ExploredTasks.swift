#if Explore
import InterleavingExplorer

/// Shadows the standard library's function of the same name in the modules of the library: see
/// ``ExploredCancellation``.
@usableFromInline
package func withTaskCancellationHandler<Result>(
    operation: () async -> Result, onCancel handler: @Sendable () -> Void,
    isolation: isolated (any Actor)? = #isolation
) async -> Result {
    await withoutActuallyEscaping(handler) { handler in
        let explored = ExploredHandler(handler)
        let result = await _Concurrency.withTaskCancellationHandler(
            operation: operation, onCancel: { explored.callWhenCancelled() }, isolation: isolation)
        explored.remove()
        return result
    }
}
#endif
