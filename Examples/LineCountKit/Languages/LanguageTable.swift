/// Finds a file's language, and what scans it.
struct LanguageTable: Sendable {
    static let standard = LanguageTable(Language.cFamily + Language.scripts + Language.functional + Language.documents)

    let languages: [Language]
    let scanners: [LineScanner]
    private var byExtension: [String: Int] = [:]
    private var byFileName: [String: Int] = [:]
    private var byInterpreter: [String: Int] = [:]

    init(_ languages: [Language]) {
        self.languages = languages
        scanners = languages.map { LineScanner($0) }
        for (index, language) in languages.enumerated() {
            for name in language.extensions { byExtension[name] = index }
            for name in language.fileNames { byFileName[name] = index }
            for name in language.interpreters { byInterpreter[name] = index }
        }
    }

    /// What a file's name says of its language.
    enum Guess: Sendable, Equatable {
        /// The number of the language.
        case language(Int)
        /// The name has no extension, so the first line may tell.
        case unnamed
        case unknown
    }

    func guess(fileName: String) -> Guess {
        let name = fileName.lowercased()
        if let index = byFileName[name] { return .language(index) }
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return .unnamed }
        return byExtension[String(name[name.index(after: dot)...])].map(Guess.language) ?? .unknown
    }

    /// The language that the first line names: `#!/usr/bin/env python3`, or `-*- C++ -*-` as Emacs has it.
    func language(ofFirstLine bytes: ArraySlice<UInt8>) -> Int? {
        let line = String(decoding: bytes.prefix(256).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if line.hasPrefix("#!") {
            let words = line.dropFirst(2).split(whereSeparator: \.isWhitespace).map {
                $0.split(separator: "/").last ?? ""
            }
            let program = words.first == "env" ? words.dropFirst().first { !$0.hasPrefix("-") } : words.first
            // Without the version: "python3.12" is "python".
            let name = (program ?? "").prefix { !$0.isNumber && $0 != "." }
            return byInterpreter[String(name)]
        }
        let parts = line.split(separator: "-*-", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var mode = parts[1].split(whereSeparator: \.isWhitespace).first ?? ""
        if let key = parts[1].range(ofMode: "mode:") { mode = key }
        return switch mode.lowercased() {
        case "c++": byExtension["cpp"]
        case "c": byExtension["c"]
        default: byInterpreter[mode.lowercased()]
        }
    }

    func index(named name: String) -> Int? { languages.firstIndex { $0.name == name } }
}

extension Substring {
    /// The word after the key, up to a semicolon.
    fileprivate func range(ofMode key: String) -> Substring? {
        let words = split { $0.isWhitespace || $0 == ";" }
        guard let index = words.firstIndex(where: { $0.lowercased() == key }), index + 1 < words.count else {
            return nil
        }
        return words[index + 1]
    }
}
