import AuthScanBytes
import AuthScanSchemes

/// Writes challenges and credentials, each with one decoded object named after its kind.
struct TokenJSON {
    let secrets: SecretPolicy
    /// When the field was sent, in seconds since 1970; `nil` where nothing tells.
    var moment: Int?

    func write(_ challenge: Challenge, to json: inout JSONWriter) {
        json.object { json in
            writeHead(challenge.scheme, challenge.parameters, challenge.token68, challenge.problems, to: &json)
            switch challenge.content {
            case .basic(let basic):
                json.key("basic")
                json.object {
                    $0.member("realm", basic.realm)
                    $0.member("charset", basic.charset)
                }
            case .digest(let digest):
                writeParameters("digest", challenge.parameters, to: &json) {
                    $0.member("effectiveAlgorithm", digest.effectiveAlgorithm.rawValue)
                    $0.member("knownAlgorithm", digest.effectiveAlgorithm.hash != nil)
                    $0.member("domainList", digest.domain.map(secrets.uri))
                    $0.member("qopList", digest.qop)
                    $0.member("isMicrosoft", digest.nonce?.hasPrefix("+Upgraded+") ?? false)
                }
            case .bearer: writeParameters("bearer", challenge.parameters, to: &json)
            case .ntlm(let message): write(message, to: &json)
            case .negotiate(let token): write(token, to: &json)
            case .other: SchemeDetailsJSON(secrets: secrets).write(challenge.details(), to: &json)
            }
        }
    }

    func write(_ credentials: Credentials, to json: inout JSONWriter) {
        json.object { json in
            writeHead(
                credentials.scheme,
                credentials.parameters,
                credentials.token68,
                credentials.problems,
                to: &json
            )
            switch credentials.content {
            case .basic(let basic): write(basic, to: &json)
            case .digest(let digest):
                writeParameters("digest", credentials.parameters, to: &json) {
                    $0.member("effectiveAlgorithm", digest.effectiveAlgorithm.rawValue)
                    $0.member("knownAlgorithm", digest.effectiveAlgorithm.hash != nil)
                    $0.member("decodedUser", digest.user)
                    $0.member("nonceCount", digest.nonceCount.map(Int.init))
                }
            case .bearer(let bearer): write(bearer, to: &json)
            case .ntlm(let message): write(message, to: &json)
            case .negotiate(let token): write(token, to: &json)
            case .other: SchemeDetailsJSON(secrets: secrets).write(credentials.details(), to: &json)
            }
        }
    }

    private func writeHead(
        _ scheme: AuthenticationScheme,
        _ parameters: AuthParameters,
        _ token68: Token68?,
        _ problems: [FieldProblem],
        to json: inout JSONWriter
    ) {
        json.member("scheme", scheme.rawValue)
        json.member("kind", scheme.kind.rawValue)
        json.key("parameters")
        json.array(parameters) { json, parameter in
            json.array([parameter.name, value(of: parameter)]) { $0.value($1) }
        }
        json.key("token68")
        if let token68 {
            json.object {
                $0.member("length", token68.byteCount)
                $0.member("value", secrets.text(token68.text))
                if case .success = token68.decoded { $0.member("decodes", true) } else { $0.member("decodes", false) }
            }
        } else {
            json.null()
        }
        json.member("problems", problems)
    }

    private func value(of parameter: AuthParameter) -> String {
        parameter.isSecret ? secrets.text(parameter.value) : secrets.uri(parameter.value)
    }

    /// The parameters as one object; the first of a repeated name counts.
    private func writeParameters(
        _ kind: String,
        _ parameters: AuthParameters,
        to json: inout JSONWriter,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        json.key(kind)
        var seen: Set<String> = []
        json.object { json in
            for parameter in parameters where seen.insert(parameter.name.lowercased()).inserted {
                json.dynamicMember(parameter.name.lowercased(), value(of: parameter))
            }
            more(&json)
        }
    }

    private func write(_ basic: BasicCredentials?, to json: inout JSONWriter) {
        json.key("basic")
        guard let basic else { return json.null() }
        json.object {
            $0.member("user", basic.userID)
            $0.member("charset", basic.charset.rawValue)
            $0.member("password", basic.password.map(secrets.text))
        }
    }

    private func write(_ bearer: BearerCredentials, to json: inout JSONWriter) {
        json.key("bearer")
        json.object { json in
            json.member("token", bearer.token.map(secrets.text))
            json.key("jwt")
            guard let jwt = bearer.jsonWebToken() else { return json.null() }
            SchemeDetailsJSON(secrets: secrets).write(jwt, at: moment, to: &json)
        }
    }

    private func write(_ message: NTLMMessage?, to json: inout JSONWriter) {
        json.key("ntlm")
        if let message { NTLMJSON(secrets: secrets).write(message, to: &json) } else { json.null() }
    }

    /// SPNEGO's own fields; NTLM and Kerberos inside stand beside them, where they stand under their own schemes.
    private func write(_ token: NegotiateToken?, to json: inout JSONWriter) {
        json.key("negotiate")
        if let token { NegotiateJSON(secrets: secrets).write(token, to: &json) } else { json.null() }
        write(token?.ntlm, to: &json)
        json.key("kerberos")
        if let message = token?.kerberos {
            KerberosJSON(secrets: secrets).write(message, to: &json)
        } else {
            json.null()
        }
    }
}

extension JSONWriter {
    /// A member whose name comes from the capture.
    mutating func dynamicMember(_ name: String, _ text: String?) {
        value(name)
        colon()
        value(text)
    }

    mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let flag): value(flag)
        case .number(let number): value(number)
        case .string(let text): value(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members):
            object { writer in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    writer.value(name)
                    writer.colon()
                    writer.value(member)
                }
            }
        }
    }
}
