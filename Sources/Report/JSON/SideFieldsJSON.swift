import AuthScanBytes
import AuthScanSchemes
import AuthScanWire

/// Writes the fields beside challenges and credentials that say something about authentication.
struct SideFieldsJSON {
    let secrets: SecretPolicy
    var moment: Int?

    /// Those that say something about authentication and are not written elsewhere.
    static let names: [FieldName] = [
        .authenticationInfo, .proxyAuthenticationInfo, .authenticationControl, .optionalWWWAuthenticate,
        .persistentAuth, .proxySupport, .dpop, .dpopNonce, .xMSDAVEXTError, .xFormsBasedAuthRequired,
        .xFormsBasedAuthReturnURL, .xFormsBasedAuthAccepted, .xFEServer, .xSquidError, .xAmzDate, .xAmzContentSHA256,
        .xWSSE, .lfsAuthenticate,
    ]

    func write(_ fields: FieldLines, to json: inout JSONWriter) {
        let lines = fields.all.filter { Self.names.contains($0.name) }
        json.array(lines) { write($1.name.description, $1.value, to: &$0) }
    }

    /// One field, by its name in any letter case.
    func write(_ name: String, _ value: ArraySlice<UInt8>, to json: inout JSONWriter) {
        let text = fieldText(value)
        json.object { json in
            json.member("name", name)
            switch name.lowercased() {
            case "authentication-info", "proxy-authentication-info":
                write(ChallengeParser.parseAuthenticationInfo(value), to: &json)
            case "authentication-control": write(controlling: value, to: &json)
            case "optional-www-authenticate", "lfs-authenticate": write(offering: value, to: &json)
            case "dpop": write(proof: text, to: &json)
            case "x-wsse": json.member("value", secrets.text(text))
            case "x-msdavext_error":
                json.member("value", text)
                json.member("code", SharePointError(text)?.code)
                json.member("message", SharePointError(text)?.message)
            default: json.member("value", secrets.uri(text))
            }
        }
    }

    /// A field that is none of these.
    func write(other name: String, _ value: ArraySlice<UInt8>, to json: inout JSONWriter) {
        let text = fieldText(value)
        json.object {
            $0.member("name", name)
            $0.member("remark", "\(name) is not an authentication field")
            $0.member("value", SecretFields.isSecret(name) ? secrets.text(text) : secrets.uri(text))
        }
    }

    private func write(_ info: AuthenticationInfo, to json: inout JSONWriter) {
        json.key("parameters")
        json.array(info.parameters) { json, parameter in
            let isProof = ["rspauth", "data", "vks"].contains(parameter.name.lowercased())
            json.array([parameter.name, isProof ? secrets.text(parameter.value) : parameter.value]) { $0.value($1) }
        }
        SchemeDetailsJSON(secrets: secrets).write(info.scram(), to: &json)
        json.member("problems", info.problems)
    }

    /// How a browser shall treat a login: `Digest logout-timeout=300, Basic auth-style=modal`.
    ///
    /// - Source: RFC 8053 §4.
    private func write(controlling value: ArraySlice<UInt8>, to json: inout JSONWriter) {
        json.key("schemes")
        json.array(ChallengeParser.parseChallenges(value)) { json, entry in
            json.object { json in
                json.member("scheme", entry.scheme.rawValue)
                json.key("parameters")
                json.array(entry.parameters) { json, parameter in
                    json.array([parameter.name, secrets.uri(parameter.value)]) { $0.value($1) }
                }
            }
        }
    }

    private func write(offering value: ArraySlice<UInt8>, to json: inout JSONWriter) {
        json.key("challenges")
        json.array(ChallengeParser.parseChallenges(value)) { TokenJSON(secrets: secrets).write($1, to: &$0) }
    }

    /// A proof of possession: a JSON Web Token whose claims name the request.
    ///
    /// - Source: RFC 9449 §4.2.
    private func write(proof text: String, to json: inout JSONWriter) {
        json.member("value", secrets.text(text))
        json.key("jwt")
        switch JSONWebToken.read(text) {
        case .success(let token): SchemeDetailsJSON(secrets: secrets).write(token, at: moment, to: &json)
        case .failure(let error):
            json.null()
            json.member("problem", error.description)
        }
    }
}
