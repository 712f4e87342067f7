import TestSupport
import Testing

struct TokenTests {
    @Test("a NEGOTIATE_MESSAGE has the layout of MS-NLMP 2.2.1.1")
    func negotiateMessage() throws {
        let expected: [UInt8] = [
            0x4E, 0x54, 0x4C, 0x4D, 0x53, 0x53, 0x50, 0, 1, 0, 0, 0, 0x07, 0x82, 0x08, 0xA2,
            0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0, 10, 0, 0x7C, 0x4F, 0, 0, 0, 15,
        ]
        #expect(try Transcript.token("NEGOTIATE_MESSAGE") == expected)
    }

    @Test("a CHALLENGE_MESSAGE names its target and its pairs (MS-NLMP 2.2.1.2, 2.2.2.1)")
    func challengeMessage() throws {
        let token = try Transcript.token("CHALLENGE_MESSAGE domain=D computer=C challenge=0123456789ABCDEF")
        #expect(field(token, at: 12) == utf16("D"))
        #expect(little(token, at: 20, 4) == 0xA289_8205)
        #expect(token[24..<32] == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF])
        let pairs = pairs(field(token, at: 40))
        #expect(pairs.map(\.id) == [2, 1, 4, 3, 7])
        #expect(pairs.prefix(4).map(\.value) == ["D", "C", "d.example", "c.d.example"].map(utf16))
        // 2026-01-05 09:00:00 UTC.
        #expect(little(pairs[4].value, at: 0, 8) == 134_120_772_000_000_000)

        let local = try Transcript.token("CHALLENGE_MESSAGE computer=C type=server timestamp=no")
        #expect(field(local, at: 12) == utf16("C"))
        #expect(little(local, at: 20, 4) == 0xA28A_8205)
        #expect(self.pairs(field(local, at: 40)).map(\.id) == [2, 1, 4, 3])
    }

    @Test(
        "the responses have the lengths of MS-NLMP 2.2.2.3 to 2.2.2.8",
        arguments: [
            ("NTLMv1", 24, 24), ("NTLM2-session", 24, 24), ("LM", 24, 0), ("none", 0, 0),
        ]
    )
    func responses(kind: String, lm: Int, nt: Int) throws {
        let token = try Transcript.token("AUTHENTICATE_MESSAGE user=bob domain=D workstation=W response=\(kind)")
        #expect(field(token, at: 12).count == lm)
        #expect(field(token, at: 20).count == nt)
        #expect([28, 36, 44].map { field(token, at: $0) } == ["D", "bob", "W"].map(utf16))
        if kind == "NTLM2-session" { #expect(field(token, at: 12).suffix(16).allSatisfy { $0 == 0 }) }
    }

    @Test("names are in the encoding that the flags state")
    func encodesNames() throws {
        let token = try Transcript.token("AUTHENTICATE_MESSAGE user=müller flags=0xA2888206")
        #expect(field(token, at: 36) == [0x6D, 0xFC, 0x6C, 0x6C, 0x65, 0x72])
        let unicode = try Transcript.token("AUTHENTICATE_MESSAGE user=müller")
        #expect(field(unicode, at: 36) == [0x6D, 0, 0xFC, 0, 0x6C, 0, 0x6C, 0, 0x65, 0, 0x72, 0])
    }

    @Test("a challenge without target information, and a response that is late, bare of pairs or has a gap")
    func deviations() throws {
        let challenge = try Transcript.token("CHALLENGE_MESSAGE target-info=no")
        #expect(field(challenge, at: 40).isEmpty)
        #expect(little(challenge, at: 20, 4) == 0xA209_8205)
        let usual = field(try Transcript.token("AUTHENTICATE_MESSAGE"), at: 20)
        let late = field(try Transcript.token("AUTHENTICATE_MESSAGE late=60"), at: 20)
        #expect(little(late, at: 24, 8) == little(usual, at: 24, 8) + 600_000_000)
        let bare = field(
            try Transcript.token("AUTHENTICATE_MESSAGE mic=no pairs=no target=no channel-binding=no"),
            at: 20
        )
        #expect(bare.count == 52)
        let gap = field(try Transcript.token("AUTHENTICATE_MESSAGE blob-gap=8"), at: 20)
        #expect(gap.count == usual.count + 8)
        #expect(gap[44..<52].allSatisfy { $0 == 0 })
    }

    @Test("an NTLMv2 response repeats the pairs of the challenge and says that there is a MIC")
    func ntlmv2Response() throws {
        let transcript = try Transcript(
            """
            connection 1
            < 401
              A: {CHALLENGE_MESSAGE domain=D computer=C}
            > GET /
              A: {AUTHENTICATE_MESSAGE user=bob proof=000102030405060708090A0B0C0D0E0F}
            """
        )
        let token = try #require(fieldValue("A", of: transcript.messages[1]).flatMap(decodeBase64))
        #expect(field(token, at: 28) == utf16("D"))
        #expect(field(token, at: 12) == [UInt8](repeating: 0, count: 24))
        let response = field(token, at: 20)
        #expect(response.prefix(18) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1, 1])
        let pairs = pairs(Array(response.dropFirst(44)))
        #expect(pairs.map(\.id) == [2, 1, 4, 3, 7, 6, 10, 9])
        #expect(pairs[5].value == [2, 0, 0, 0])
        // The payload starts behind the MIC, at 88, and without one at 72.
        #expect(little(token, at: 32, 4) == 88)
        #expect(little(try Transcript.token("AUTHENTICATE_MESSAGE mic=no"), at: 32, 4) == 72)
    }

    @Test("an anonymous message has one zero byte as LM response, and the flag (MS-NLMP 3.2.5.1.2)")
    func anonymous() throws {
        let token = try Transcript.token("AUTHENTICATE_MESSAGE anonymous")
        #expect(field(token, at: 12) == [0])
        #expect([20, 28, 36].allSatisfy { field(token, at: $0).isEmpty })
        #expect(little(token, at: 60, 4) & 0x800 != 0)
    }

    @Test("NegTokenInit and NegTokenResp are framed as in RFC 4178 §4.2")
    func spnego() throws {
        let initial = try Transcript.token("SPNEGO init mech=NTLM token={hex AABB}")
        let expected: [UInt8] = [
            0x60, 0x22, 0x06, 0x06, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x02, 0xA0, 0x18, 0x30, 0x16,
            0xA0, 0x0E, 0x30, 0x0C, 0x06, 0x0A, 0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0A,
            0xA2, 0x04, 0x04, 0x02, 0xAA, 0xBB,
        ]
        #expect(initial == expected)
        #expect(
            try Transcript.token("SPNEGO resp state=reject token={hex AABB}")
                == [0xA1, 0x0D, 0x30, 0x0B, 0xA0, 0x03, 0x0A, 0x01, 0x02, 0xA2, 0x04, 0x04, 0x02, 0xAA, 0xBB]
        )
    }

    @Test("Kerberos messages stand behind their token identifiers (RFC 4121 §4.1)")
    func kerberos() throws {
        let oid: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 0x01, 0x02, 0x02]
        let tokens: [(String, [UInt8])] = [
            ("AP-REQ size=10", [1, 0, 0x6E]), ("AP-REP", [2, 0, 0x6F]), ("KRB-ERROR code=41", [3, 0, 0x7E]),
        ]
        for (expression, start) in tokens {
            let token = try Transcript.token(expression)
            let header = token[1] < 0x80 ? 2 : 2 + Int(token[1] & 0x7F)
            #expect(token.dropFirst(header).starts(with: oid + start), "\(expression)")
        }
    }

    @Test("text tokens: RFC 7617 §2's example, ISO 8859-1, a JSON Web Token")
    func textTokens() throws {
        let transcript = try Transcript(
            """
            connection 1
            > GET /
              A: Basic {basic Aladdin:open sesame}
              B: Basic {basic-latin1 ü}
              C: Bearer {jwt sub=alice exp=+60}
            """
        )
        let message = transcript.messages[0]
        #expect(fieldValue("A", of: message) == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(fieldValue("B", of: message) == "Basic /A==")
        let parts = (fieldValue("C", of: message) ?? "").dropFirst(7).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        // {"sub":"alice","exp":1767603660}
        #expect(parts[1] == "eyJzdWIiOiJhbGljZSIsImV4cCI6MTc2NzYwMzY2MH0")
    }

    @Test("made-up bytes are the same each time, and differ with user, domain and position")
    func madeUpBytes() throws {
        let alice = try Transcript.token("AUTHENTICATE_MESSAGE user=alice domain=D")
        #expect(try Transcript.token("AUTHENTICATE_MESSAGE user=alice domain=D") == alice)
        let others = ["user=bobby domain=D", "user=alice domain=E"]
        for other in others {
            let token = try Transcript.token("AUTHENTICATE_MESSAGE \(other)")
            #expect(field(token, at: 20).prefix(16) != field(alice, at: 20).prefix(16))
        }
        let twice = try Transcript(
            "connection 1\n> GET /\n  A: {AUTHENTICATE_MESSAGE}\n> GET /\n  A: {AUTHENTICATE_MESSAGE}"
        )
        #expect(fieldValue("A", of: twice.messages[0]) != fieldValue("A", of: twice.messages[1]))
    }

    @Test("cut keeps the first bytes")
    func cut() throws {
        #expect(try Transcript.token("NEGOTIATE_MESSAGE cut=9") == Array("NTLMSSP\0\u{1}".utf8))
    }

    private func little(_ bytes: [UInt8], at offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func field(_ token: [UInt8], at offset: Int) -> [UInt8] {
        let start = Int(little(token, at: offset + 4, 4))
        return Array(token[start..<(start + Int(little(token, at: offset, 2)))])
    }

    private func pairs(_ bytes: [UInt8]) -> [(id: UInt64, value: [UInt8])] {
        var pairs: [(id: UInt64, value: [UInt8])] = []
        var offset = 0
        while little(bytes, at: offset, 2) != 0 {
            let length = Int(little(bytes, at: offset + 2, 2))
            pairs.append((little(bytes, at: offset, 2), Array(bytes[(offset + 4)..<(offset + 4 + length)])))
            offset += 4 + length
        }
        return pairs
    }

    private func utf16(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }

    private func fieldValue(_ name: String, of message: Transcript.Message) -> String? {
        String(decoding: message.bytes, as: UTF8.self).split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    private func decodeBase64(_ text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for character in text where character != "=" {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8((bits >> count) & 0xFF))
            }
        }
        return bytes
    }
}
