import AuthScanBytes

extension SchemeDetails {
    /// SCRAM over HTTP: `realm`, `sid`, and in `data` one SCRAM message in base64.
    ///
    ///     client-first  n,,n=user,r=nonce          client-final  c=…,r=nonce,p=proof
    ///     server-first  r=nonce,s=salt,i=4096      server-final  v=signature | e=error
    ///
    /// - Source: RFC 7804 §3 to §5; RFC 5802 §5, §7.
    static func scram(_ parameters: SchemeParameters) -> Self {
        var details = Self("scram")
        for name in ["realm", "sid", "sr", "ttl", "stale"] { details.add(name, text: parameters[name]) }
        guard let data = parameters["data"] else {
            if !parameters.isChallenge { details.require(["data"], in: parameters.parameters) }
            return details
        }
        details.addSCRAM(data, at: parameters.offset(of: "data"))
        return details
    }

    /// The parts of the SCRAM message in a `data` parameter.
    mutating func addSCRAM(_ data: String, at offset: Int) {
        do throws(DecodeError) {
            let bytes = try Base64.decode(Array(data.utf8)[...])
            addSCRAM(message: fieldText(bytes[...]), at: offset)
        } catch {
            note(.invalidBase64, error.description, at: offset)
        }
    }

    private mutating func addSCRAM(message: String, at offset: Int) {
        var rest = message[...]
        let first = rest.first
        if first == "n" || first == "y" || first == "p", message.split(separator: ",").count > 2,
            !message.hasPrefix("p=,")
        {
            // RFC 5802 §7: gs2-header = gs2-cbind-flag "," [ "a=" authzid ] ","
            let header = rest.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            if header.count == 3, header[1].isEmpty || header[1].hasPrefix("a=") {
                add("channelBindingFlag", text: String(header[0]), Self.bindingMeaning(header[0]))
                if !header[1].isEmpty { add("authzid", text: Self.saslName(header[1].dropFirst(2))) }
                rest = header[2]
            }
        }
        let attributes = rest.split(separator: ",", omittingEmptySubsequences: false)
        if attributes.count > 32 { note(.limitExceeded, "more than 32 attributes in one SCRAM message", at: offset) }
        var names = ""
        for attribute in attributes.prefix(32) {
            guard let name = attribute.first, name.isASCII, name.isLetter, attribute.dropFirst().first == "=" else {
                note(.invalidToken, "an attribute of the SCRAM message is not name=value", at: offset)
                continue
            }
            names.append(name)
            addSCRAM(attribute: name, attribute.dropFirst(2), at: offset)
        }
        add("message", text: Self.scramMessage(names))
    }

    private mutating func addSCRAM(attribute name: Character, _ value: Substring, at offset: Int) {
        switch name {
        case "n": add("username", text: Self.saslName(value))
        case "r": add("nonce", text: String(value))
        case "s": add("salt", text: String(value))
        case "i":
            add("iterationCount", Int(value).map { .number($0) } ?? .text(String(value)))
            // RFC 7804 §5.1 and RFC 7677 §4 want at least 4096.
            if (Int(value) ?? 0) < 4096 { note(.invalidValue, "the iteration count is below 4096", at: offset) }
        case "c": add("channelBinding", text: String(value), "the GS2 header, and the binding where there is one")
        case "p": add("clientProof", secret: String(value))
        case "v": add("serverSignature", secret: String(value))
        case "e": add("error", text: String(value))
        case "m": note(.invalidValue, "the message needs an extension (m=)", at: offset)
        default: add(String(name), text: String(value))
        }
    }

    private static func bindingMeaning(_ flag: Substring) -> String {
        switch flag {
        case "n": "the client does not do channel binding"
        case "y": "the client does channel binding, and thinks that the server does not"
        default: "channel binding of type \(flag.dropFirst(2))"
        }
    }

    /// RFC 5802 §5.1: `,` and `=` in names are written `=2C` and `=3D`.
    private static func saslName(_ text: Substring) -> String {
        String(text.replacing("=2C", with: ",").replacing("=3D", with: "="))
    }

    private static func scramMessage(_ names: String) -> String? {
        if names.hasPrefix("nr") || names.hasPrefix("mnr") { return "client-first-message" }
        if names.hasPrefix("rs") || names.hasPrefix("mrs") { return "server-first-message" }
        if names.hasPrefix("cr") { return "client-final-message" }
        return names.hasPrefix("v") || names.hasPrefix("e") ? "server-final-message" : nil
    }
}
