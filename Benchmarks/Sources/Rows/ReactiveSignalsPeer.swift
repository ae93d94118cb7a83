enum ReactiveSignalsPeer {
    static func observers(_ observers: Int, _ functions: Functions) -> Run { { _ in } }
    static func mapFilterMap(_ functions: Functions) -> Run { { _ in } }
    static func tenMaps(_ functions: Functions) -> Run { { _ in } }
    static func visibleObservers(_ observers: Int) -> Run { { _ in } }
    static func visibleMapFilterMap() -> Run { { _ in } }
    static func visibleTenMaps() -> Run { { _ in } }
    static func zip(_ functions: Functions) -> Run { { _ in } }
    static func combineLatest(_ functions: Functions) -> Run { { _ in } }
    static func nested(_ functions: Functions) -> Run { { _ in } }
    static func observeDispose(among: Int, _ functions: Functions) -> Run { { _ in } }
    static func twoThreads(_ functions: Functions) -> Run { { _ in } }
    static func queue() -> Run { { _ in } }
    static func memory() -> Run { { _ in } }
    static func memoryOfStage() -> Run { { _ in } }
    static func memoryOfObservedStage() -> Run { { _ in } }
}
