import AuthScanWire

extension ProcessInformation {
    /// The process and the one on whose behalf it acts, as a person names them: `com.apple.WebKit.Networking for Intranet`.
    var name: String { ([process.words] + [effective?.words].compactMap { $0 }).joined(separator: " for ") }

    /// The same with the process ids: `com.apple.WebKit.Networking (700) for Intranet (650)`.
    var nameWithIDs: String {
        ([process.wordsWithID] + [effective?.wordsWithID].compactMap { $0 }).joined(separator: " for ")
    }
}

extension ProcessInformation.Process {
    fileprivate var words: String { name.map { PrintableText.visible($0) } ?? "process \(id ?? 0)" }

    fileprivate var wordsWithID: String { name == nil ? words : words + (id.map { " (\($0))" } ?? "") }
}
