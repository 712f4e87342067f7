import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct SharePointFBA403: Rule {
    let page = RulePage(
        id: "sharepoint-fba-403",
        severity: .error,
        step: .challenge,
        title: "SharePoint refuses with hints for a forms login instead of a challenge",
        what: """
            A response with 401 or 403 offers no scheme, and names a login in the browser instead: \
            X-Forms_Based_Auth_Required, or X-MSDAVEXT_Error with 917656.
            """,
        why: """
            Where a zone has several authentication providers, SharePoint decides by the look of the request how to ask. \
            A client that it does not take for a browser gets no WWW-Authenticate field, and so has nothing to answer.
            """,
        fix: [
            .client("Send X-FORMS_BASED_AUTH_ACCEPTED: f, so that SharePoint asks for Windows authentication."),
            .client(
                "Or log in through the address of X-Forms_Based_Auth_Required in a web view, and send its cookies."
            ),
            .server(
                "Give such clients a zone with Windows authentication alone, or have their User-Agent taken for a browser's."
            ),
        ],
        verify: "The request is answered with a challenge, or brings the login's cookie and is served.",
        lookAlikes: ["A client that logs in by the form and comes back with a cookie: the way it is meant."],
        supersedes: ["http-401-no-challenge", "challenge-unanswered"],
        sources: ["MS-OFBA §2.2, §3.2", "MS-WDVMODUU §2.2.3"],
        triggering: [
            """
            connection 1
            > GET /sites/a/doc.docx
              User-Agent: Docs/4.2
            < ↓403
              X-MSDAVEXT_Error: 917656; Access%20denied.%20Before%20opening%20files%20in%20this%20location
            closed by client
            """,
            """
            connection 1
            > OPTIONS /sites/a
              User-Agent: Docs/4.2
            < ↓401
              X-Forms_Based_Auth_Required: http://intranet.example/_layouts/login.aspx
            closed by client
            """,
        ],
        notTriggering: [
            """
            # The login follows.
            connection 1
            > GET /sites/a/doc.docx
            < 403
              X-Forms_Based_Auth_Required: http://intranet.example/_layouts/login.aspx
            > GET /sites/a/doc.docx
              Cookie: FedAuth=77ab
            < 200
            closed by client
            """,
            """
            # There is something to answer.
            connection 1
            > GET /sites/a/doc.docx
            < 401
              WWW-Authenticate: NTLM
              X-MSDAVEXT_Error: 917656; Access%20denied.
            closed by client
            """,
            """
            # A client that can do it, and is asked as the protocol has it.
            connection 1
            > OPTIONS /sites/a
              X-FORMS_BASED_AUTH_ACCEPTED: t
            < 403
              X-Forms_Based_Auth_Required: http://intranet.example/_layouts/login.aspx
            closed by client
            """,
            """
            # Another error of WebDAV.
            connection 1
            > GET /sites/a/doc.docx
            < 403
              X-MSDAVEXT_Error: 589829; The%20file%20is%20locked.
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bareRefusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let refused = chain.entries.filter { entry in
            (entry.summary.status == 403 || entry.summary.status == 401) && entry.exchange == nil
                && entry.connectionAuthenticatedBy == nil && entry.transaction.isRefusedForForms
        }.map(\.transaction)
        guard let first = refused.first, let last = refused.last else { return .clear }
        // Whoever is served later has logged in, or found another way.
        let isMended = chain.entries.contains { entry in
            entry.summary.packet > last.packet && entry.summary.status.map { (200..<300).contains($0) } == true
        }
        guard !isMended else { return .clear }
        guard chain.context.isSilenceProven(after: last) else {
            let reason = "the capture ends too early after a refusal that asks for a login by form"
            return .cannotTell(Incompleteness(reason, connections: [last.connection]))
        }
        if let incompleteness = chain.incompleteness(of: refused) { return .cannotTell(incompleteness) }
        let times = refused.count == 1 ? "" : " (\(refused.count) times)"
        let field =
            first.response?.fields.contains(.xFormsBasedAuthRequired) == true
            ? "X-Forms_Based_Auth_Required" : "X-MSDAVEXT_Error 917656"
        let message =
            "\(first.path) is refused with \(first.status ?? 0) and \(field), which asks for a login by form, and offers no "
            + "scheme\(times)"
        return .found([page.finding(message, at: .response(first), in: refused)])
    }
}

extension Transaction {
    /// Whether a refusal asks for a login by form from a client that did not say that it can do one.
    fileprivate var isRefusedForForms: Bool {
        guard isComplete, originFields.challenges.isEmpty, let fields = response?.fields else { return false }
        let accepted = request?.fields.text(of: .xFormsBasedAuthAccepted)?.lowercased() ?? ""
        guard !accepted.hasPrefix("t"), cookieNames.isEmpty else { return false }
        return fields.contains(.xFormsBasedAuthRequired)
            || fields.text(of: .xMSDAVEXTError)?.prefix(while: { $0 != ";" }) == "917656"
    }
}
