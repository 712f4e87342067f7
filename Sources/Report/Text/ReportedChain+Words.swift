import AuthScanDiagnosis
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

extension ReportedChain {
    /// The protection space as a person names it, as captured: escape it before it is printed.
    var name: String {
        let proxy = space.isProxy ? "proxy " : ""
        return proxy + space.origin.shortDescription + (space.realm.map { " \"\($0)\"" } ?? "")
    }

    /// What the breakpoint's finding says.
    var cause: String {
        guard let breakpoint else { return "" }
        let finding = findings.first { $0.number == breakpoint.finding }
        return finding.map { PrintableText.visible($0.message) } ?? "no rule explains packet \(breakpoint.packet)"
    }

    /// The first few accounts of its exchanges, of one outcome or of all, behind a word; empty where no user is visible.
    func users(_ outcome: AuthenticationExchange.Outcome?, word: String) -> String {
        var names: [String] = []
        for exchange in exchanges where outcome == nil || exchange.outcome == outcome {
            guard let account = exchange.account, !names.contains(account) else { continue }
            guard names.count < 3 else {
                names.append("others")
                break
            }
            names.append(account)
        }
        return names.isEmpty ? "" : word + names.map { PrintableText.visible($0) }.joined(separator: ", ")
    }
}

extension Transaction {
    /// The request in a few words: method, path, and the credentials that it brings.
    var requestSummary: String {
        guard let request else { return "" }
        let credentials = (Array(originFields.credentials) + proxyFields.credentials).map(\.summary)
        let target = PrintableText.cut(PrintableText.visible(SecretPolicy.redact.target(request.target)), columns: 36)
        return ([PrintableText.visible(request.method), target] + credentials).joined(separator: " ")
    }

    /// The response in a few words: its status and what it offers.
    var responseSummary: String {
        guard let status else { return "" }
        let offers = (originFields.challenges + proxyFields.challenges).map(\.summary)
        return "\(status)" + (offers.isEmpty ? "" : " offering ") + offers.joined(separator: ", ")
    }
}

extension Credentials {
    /// Scheme, message and user.
    fileprivate var summary: String {
        let message = ntlm?.messageName ?? kerberos?.messageName ?? negotiate?.spnego?.name
        let words = [scheme.rawValue, message, user.map { "(\($0))" }].compactMap { $0 }
        return PrintableText.visible(words.joined(separator: " "))
    }
}

extension Challenge {
    /// Scheme and message.
    fileprivate var summary: String {
        let message = ntlm?.messageName ?? kerberos?.messageName ?? negotiate?.spnego?.name
        return PrintableText.visible([scheme.rawValue, message].compactMap { $0 }.joined(separator: " "))
    }
}
