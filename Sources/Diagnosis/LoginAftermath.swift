import AuthScanSessions
import AuthScanWire

/// A form login, and how its client fares afterwards without the cookie that it set: what the rules about lost cookies share.
struct LoginAftermath {
    /// The request that submitted the form, answered with a cookie.
    let login: Transaction
    /// What the same User-Agent sent later.
    private let later: [Transaction]
    /// Those of them whose answers are a stranger's: a 401, or the way to the login page.
    let turnedAway: [Transaction]

    /// The session's first login; `nil` where there is none, and where nobody is turned away afterwards, so that no cookie need be
    /// looked for.
    init?(in session: ClientSession) {
        guard session.target == .origin,
            let login = session.entries.first(where: { $0.summary.isFormLogin })?.transaction
        else { return nil }
        let agent = login.userAgentBytes ?? []
        let later = session.entries.filter { $0.summary.packet > login.packet }
        // Nearly always nobody is: the statuses alone tell.
        guard later.contains(where: { $0.summary.mayTurnAway }) else { return nil }
        self.login = login
        self.later = later.map(\.transaction).filter { $0.userAgentBytes == agent }
        turnedAway = self.later.filter(\.isTurnedAway)
        if turnedAway.isEmpty { return nil }
    }

    /// The cookies that the login set.
    var cookies: [CapturedCookie] { login.setCookies.filter { !$0.isDeletion } }

    /// Whether a cookie ever came back.
    func isReturned(_ cookie: CapturedCookie) -> Bool { later.contains { $0.cookieNames.contains(cookie.name) } }

    /// Whether a cookie had neither run out nor been deleted when a request was made.
    func isAlive(_ cookie: CapturedCookie, at transaction: Transaction) -> Bool {
        guard transaction.startTime.seconds(since: login.endTime) < cookie.lifetime ?? .infinity else { return false }
        return !later.contains { earlier in
            earlier.packet < transaction.packet
                && earlier.setCookies.contains { $0.name == cookie.name && $0.isDeletion }
        }
    }
}

extension TransactionSummary {
    /// Whether the status is one with which servers turn strangers away.
    fileprivate var mayTurnAway: Bool { status.map { $0 == 401 || (300..<400).contains($0) } ?? false }
}

extension Transaction {
    /// Whether the answer is that of a server which does not know the user: a 401, or the way to the login page.
    fileprivate var isTurnedAway: Bool {
        if status == 401 { return true }
        guard summary.mayTurnAway else { return false }
        let location = response?.fields.text(of: .location)?.lowercased() ?? ""
        return ["login", "logon", "signin", "sign-in", "auth"].contains { location.contains($0) }
    }

    /// The hosts of the pages that made the request, as far as it names them.
    private var initiators: [String] {
        [FieldName.origin, .referer].compactMap { name in
            guard let text = request?.fields.text(of: name) else { return nil }
            let authority = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } } ?? ""
            return Origin(scheme: origin.scheme, authority: authority)?.host ?? ""
        }
    }

    /// Whether a page of another host made the request, so that the cookie may be withheld as a third party's.
    ///
    /// - Source: RFC 6265bis (SameSite).
    var isFromElsewhere: Bool { initiators.contains { $0 != origin.host } }

    /// The host of the page of another site that made the request; `nil` where none did for certain.
    ///
    /// Sites are told by the last two labels of their hosts: where that is a public suffix, two of them count as one.
    /// - Source: RFC 6265bis §5.2 (same-site); HTML Standard, "site".
    var foreignInitiator: String? {
        initiators.first { !$0.isEmpty && Transaction.site(of: $0) != Transaction.site(of: origin.host) }
    }

    private static func site(of host: String) -> Substring {
        let isAddress = host.hasPrefix("[") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        let labels = host.split(separator: ".")
        guard !isAddress, labels.count > 2 else { return host[...] }
        return host[labels[labels.count - 2].startIndex...]
    }
}
