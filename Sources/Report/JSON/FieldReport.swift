import AuthScanBytes
public import AuthScanProof
import AuthScanSchemes
import AuthScanSessions

/// Renders header fields and tokens, decoded in full: what a person pasted.
public struct FieldReport: Sendable {
    private let secrets: SecretPolicy
    private let known: KnownSecrets

    /// Prepares a renderer that holds the proofs of NTLM handshakes against the known secrets.
    public init(secrets: SecretPolicy, known: KnownSecrets = KnownSecrets()) {
        self.secrets = secrets
        self.known = known
    }

    /// The decoded items as lines for people, a name and its value each, without what is not there; `nil` for a text
    /// without anything to decode.
    public func text(_ pasted: String) -> String? {
        let items = PasteReader.read(pasted.utf8)
        let decodable = items.filter(\.isDecodable)
        guard !decodable.isEmpty else { return nil }
        let handshakes = self.handshakes(in: decodable)
        guard items.count > 1 else { return JSONOutline.text(json(decodable[0])) + text(proofs(of: 0, in: items, nil)) }
        let requests = self.requests(in: items)
        let sections =
            items.indices.map { section($0, in: items, requests[$0]) }
            + handshakes.enumerated().map { section($0.offset, $0.element) }
        return sections.joined(separator: "\n")
    }

    /// The decoded items as JSON with a line end; `nil` for a text without anything to decode.
    ///
    /// One object of schema `authscan/decode/1`, however many items there are; what each decodes to is an array of
    /// CHALLENGE, a CREDENTIALS or a field, as in schema `authscan/1`.
    public func json(_ pasted: String) -> [UInt8]? {
        let items = PasteReader.read(pasted.utf8)
        let decodable = items.filter(\.isDecodable)
        guard !decodable.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.object { json in
            json.member("schema", "authscan/decode/1")
            json.key("items")
            json.array(zip(items.indices, requests(in: items))) { write($1.0, in: items, $1.1, to: &$0) }
            json.key("handshakes")
            json.array(handshakes(in: decodable)) { write($1, to: &$0) }
        }
        writer.finish()
        return writer.bytes
    }

    private func json(_ item: PastedItem) -> [UInt8] {
        var writer = JSONWriter()
        writeContent(of: item, to: &writer)
        return writer.bytes
    }

    /// A request's first line.
    private typealias Request = (method: String, target: String)

    /// For each item the request that it belongs to: the one whose first line was pasted before it.
    private func requests(in items: [PastedItem]) -> [Request?] {
        var request: Request?
        return items.map { item in
            if case .request(let method, let target) = item.content { request = (method, target) }
            return request
        }
    }

    private func proofs(of index: Int, in items: [PastedItem], _ request: Request?) -> [Proof] {
        guard !known.isEmpty, case .credentials(let credentials) = items[index].decoded else { return [] }
        let answer = serverProof(in: items[(index + 1)...])
        return ExchangeProver.prove(credentials, request: request, answer: answer, with: known)
    }

    /// What the server proves in the answer that starts here: it ends with the next request, or the next credentials.
    private func serverProof(in items: ArraySlice<PastedItem>) -> ExchangeProver.ServerProof {
        var proof = ExchangeProver.ServerProof()
        for item in items {
            if case .request = item.content { return proof }
            switch item.decoded {
            case .credentials: return proof
            case .challenges(let challenges):
                proof.reply = proof.reply ?? challenges.lazy.compactMap { $0.kerberos?.apRep }.first
            case .sideField(let name, let value) where name.lowercased().hasSuffix("authentication-info"):
                proof.rspauth = proof.rspauth ?? ChallengeParser.parseAuthenticationInfo(value[...]).rspauth
            case .sideField, .otherField, nil: break
            }
        }
        return proof
    }

    private func write(_ index: Int, in items: [PastedItem], _ request: Request?, to json: inout JSONWriter) {
        let item = items[index]
        json.object { json in
            json.member("line", item.line)
            json.member("from", item.sender?.rawValue)
            switch item.content {
            case .field(let name, _): json.member("field", name)
            case .value: json.member("field", nil as String?)
            case .token(let token): json.member("encoding", token.encoding.rawValue)
            case .request(let method, let target):
                json.member("method", method)
                json.member("target", secrets.target(target))
                return
            case .response(let status):
                json.member("status", status)
                return
            }
            json.key("decoded")
            writeContent(of: item, to: &json)
            json.key("proofs")
            json.array(proofs(of: index, in: items, request)) { ProofJSON(secrets: secrets).write($1, to: &$0) }
        }
    }

    private func writeContent(of item: PastedItem, to json: inout JSONWriter) {
        let token = TokenJSON(secrets: secrets)
        switch item.decoded {
        case .challenges(let challenges): json.array(challenges) { token.write($1, to: &$0) }
        case .credentials(let credentials): token.write(credentials, to: &json)
        case .sideField(let name, let value): SideFieldsJSON(secrets: secrets).write(name, value[...], to: &json)
        case .otherField(let name, let value):
            SideFieldsJSON(secrets: secrets).write(other: name, value[...], to: &json)
        case nil: json.null()
        }
    }

    private func write(_ handshake: NTLMHandshake, to json: inout JSONWriter) {
        let proofs = ExchangeProver.prove(handshake, with: known)
        NTLMHandshakeJSON(secrets: secrets).write(handshake, proofs, to: &json)
    }

    // MARK: - Text

    private func text(_ proofs: [Proof]) -> String {
        proofs.map { proof in
            PrintableText.visible("\(proof.subject.rawValue): \(proof.verdict.words)") + "\n"
        }.joined()
    }

    private func section(_ index: Int, in items: [PastedItem], _ request: Request?) -> String {
        let item = items[index]
        let mark = item.sender.map { $0 == .client ? "> " : "< " } ?? ""
        let title: String
        switch item.content {
        case .field(let name, _): title = "\(name) (line \(item.line))"
        case .value: title = "field value (line \(item.line))"
        case .token(let token): title = "token in \(token.encoding.rawValue) (line \(item.line))"
        case .request(let method, let target): title = "\(method) \(secrets.target(target))"
        case .response(let status): title = "\(status)"
        }
        let heading = PrintableText.visible(mark + title) + "\n"
        guard item.isDecodable else { return heading }
        return heading + indented(JSONOutline.text(json(item)) + text(proofs(of: index, in: items, request)))
    }

    private func section(_ index: Int, _ handshake: NTLMHandshake) -> String {
        var writer = JSONWriter()
        write(handshake, to: &writer)
        let verdict = handshake.remarks.isEmpty ? "  the messages agree with each other\n" : ""
        return "NTLM handshake \(index + 1)\n" + verdict + indented(JSONOutline.text(writer.bytes))
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// Handshakes of two messages or more.
    private func handshakes(in items: [PastedItem]) -> [NTLMHandshake] {
        NTLMHandshake.handshakes(in: items.flatMap { $0.decoded?.ntlmMessages ?? [] }).filter { handshake in
            let parts: [Bool] = [
                handshake.negotiate != nil, handshake.challenge != nil, handshake.authenticate != nil,
            ]
            return parts.count { $0 } > 1
        }
    }
}
