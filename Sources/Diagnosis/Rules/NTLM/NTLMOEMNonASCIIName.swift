import AuthScanSchemes
import AuthScanSessions

struct NTLMOEMNonASCIIName: Rule {
    let page = RulePage(
        id: "ntlm-oem-non-ascii-name",
        severity: .error,
        step: .accept,
        title: "Name with other letters than ASCII in the wrong encoding",
        what: """
            The refused AUTHENTICATE_MESSAGE has a user or domain with letters outside ASCII, in an OEM code page or \
            as UTF-8 bytes taken for characters.
            """,
        why: """
            The response covers the upper-case name in UTF-16. An OEM name reaches the server in a code page that the \
            message does not name, so that it looks for another account and computes another response.
            """,
        fix: [
            .client(
                """
                Negotiate NTLMSSP_NEGOTIATE_UNICODE, and give the name as Unicode text: \
                URLCredential(user:password:persistence:) takes it as it is.
                """
            ),
            .server("Give such users an account name, or a UPN, in ASCII letters."),
        ],
        verify: "UserName is UTF-16 and reads as the user types it.",
        lookAlikes: [
            "A name in ASCII letters in an OEM code page: harmless."
        ],
        supersedes: ["ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.2.5 (bits A, B)", "MS-NLMP §3.3.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=müller domain=CORP flags=0xA2888206}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # UTF-8 bytes that were taken for characters.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=mÃ¼ller domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=müller domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=mueller domain=CORP flags=0xA2888206}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=müller domain=CORP flags=0xA2888206}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.refusedWholeNTLMHandshakes {
            guard let (message, leg) = exchange.authenticate,
                let name = [message.userName, message.domainName].lazy.compactMap({ $0 }).first(where: \.isGarbled)
            else { continue }
            let encoding = name.encoding == .utf16LittleEndian ? "as UTF-8 bytes in UTF-16" : "in an OEM code page"
            return .found([
                page.finding(
                    "the name \"\(name.text)\" has letters outside ASCII and is sent \(encoding)",
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    confidence: .likely
                )
            ])
        }
        return .clear
    }
}

extension NTLMString {
    /// Whether letters outside ASCII are encoded so that a receiver may read others.
    fileprivate var isGarbled: Bool {
        guard encoding == .utf16LittleEndian else { return bytes.contains { $0 >= 0x80 } }
        // The first byte of a letter in UTF-8 and the one behind it, each taken for a character of ISO 8859-1.
        let scalars = Array(text.unicodeScalars)
        return zip(scalars, scalars.dropFirst()).contains { lead, next in
            (0xC3...0xC5).contains(lead.value) && (0x80...0xBF).contains(next.value)
        }
    }
}
