import AuthScanSchemes
import AuthScanSessions

struct NegotiateMechMismatch: Rule {
    let page = RulePage(
        id: "negotiate-mech-mismatch",
        severity: .error,
        title: "Server cannot use the mechanism of the client's token",
        what: """
            The client sends a Kerberos token without SPNEGO around it and is refused, or the server chooses another \
            mechanism than the client began with and the client does not follow.
            """,
        why: """
            Negotiate carries SPNEGO, which names the mechanisms; the token inside is a guess. Where the server takes \
            another mechanism, the client has to begin that one. Some libraries know only one mechanism, or leave SPNEGO out.
            """,
        fix: [
            .client("Use the SPNEGO mechanism (1.3.6.1.5.5.2) for the context, not Kerberos alone."),
            .server("Accept both identifiers of Kerberos, and put the key of the service into the keytab."),
        ],
        verify:
            "The server's token names the mechanism that the client began with, or the client's next token follows it.",
        lookAlikes: [
            "A bare Kerberos token that is accepted: many servers take both.",
            "A refusal with a KRB-ERROR: the server has understood the mechanism.",
        ],
        supersedes: ["negotiate-continue-ignored", "negotiate-rejected"],
        explains: ["challenge-unanswered"],
        sources: ["RFC 4178 §4.2.1", "MS-SPNG §3.1.5.2"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {AP-REQ service=HTTP/intranet.example}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=MS-Kerberos,Kerberos,NTLM token={AP-REQ}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=request-mic mech=NTLM}
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {AP-REQ service=HTTP/intranet.example}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {AP-REQ service=HTTP/intranet.example}
            < 401
              WWW-Authenticate: Negotiate {KRB-ERROR code=41}
            closed by client
            """,
            """
            # The client follows.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=MS-Kerberos,NTLM token={AP-REQ}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=request-mic mech=NTLM}
            > GET /app
              Authorization: Negotiate {SPNEGO resp token={NEGOTIATE_MESSAGE}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete token={CHALLENGE_MESSAGE}}
            > GET /app
              Authorization: Negotiate {SPNEGO resp token={AUTHENTICATE_MESSAGE user=alice}}
            < 200
            """,
            """
            # The two identifiers of Kerberos are one mechanism.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=MS-Kerberos,NTLM token={AP-REQ}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=Kerberos}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.traits.isDisjoint(with: [.unfinished, .rejectedNegotiate]) else { return .clear }
        if let finding = otherMechanism(in: chain) { return .found([finding]) }
        let negotiate = chain.exchanges.filter { $0.scheme.kind == .negotiate }
        guard !negotiate.contains(where: { $0.outcome == .accepted && $0.lastLeg.hasBareTicket }) else { return .clear }
        let refused = negotiate.filter {
            $0.outcome == .rejected && $0.lastLeg.hasBareTicket && $0.lastLeg.transaction.status == 401
                && $0.krbError == nil && !chain.isMadeGood(after: $0.lastLeg.transaction)
        }
        guard let first = refused.first?.lastLeg.transaction else { return .clear }
        return .found([
            page.finding(
                "the client sent a Kerberos token without SPNEGO, and the server refused it without a reason",
                at: .request(first),
                in: refused.map(\.lastLeg.transaction),
                confidence: .likely
            )
        ])
    }

    /// The server's choice of another mechanism, which the client did not follow.
    private func otherMechanism(in chain: Chain) -> Finding? {
        for exchange in chain.ignoredContinuations {
            let leg = exchange.lastLeg
            guard let offer = leg.credentials.negotiate?.spnego?.negTokenInit, let first = offer.mechTypes.first,
                let chosen = leg.continuation?.negotiate?.spnego?.negTokenResp?.supportedMech,
                chosen != first, !(chosen.isKerberos && first.isKerberos)
            else { continue }
            let began = first.name ?? first.rawValue.rawValue
            let named = chosen.name ?? chosen.rawValue.rawValue
            let offered = offer.mechTypes.contains(chosen) ? "" : ", which the client did not offer"
            return page.finding(
                "the client began with \(began), the server chose \(named)\(offered), and the client did not follow",
                at: .request(leg.transaction),
                in: [leg.transaction]
            )
        }
        return nil
    }
}

extension Leg {
    /// Whether the request's token is an AP-REQ without SPNEGO around it.
    fileprivate var hasBareTicket: Bool {
        guard let token = credentials.negotiate, !token.isWrapped else { return false }
        return token.kerberos?.apReq != nil
    }
}
