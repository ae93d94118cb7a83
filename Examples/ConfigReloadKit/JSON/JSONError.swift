/// What keeps a text from being JSON.
struct JSONError: Error, Equatable {
    let reason: String
    /// In bytes from the beginning of the text.
    let offset: Int
}
