import AuthScanDiagnosis

/// Colours and weights of the text report; none where the output is no terminal.
struct Style {
    let isColoured: Bool

    func bold(_ text: String) -> String { paint(text, "1") }
    func red(_ text: String) -> String { paint(text, "1;31") }
    func yellow(_ text: String) -> String { paint(text, "33") }
    func green(_ text: String) -> String { paint(text, "32") }
    func dim(_ text: String) -> String { paint(text, "2") }

    /// A severity in its colour.
    func painted(_ severity: Severity) -> String {
        switch severity {
        case .error: red("error")
        case .warning: yellow("warning")
        case .note: "note"
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
