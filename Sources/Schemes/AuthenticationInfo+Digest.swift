public import AuthScanBytes

extension AuthenticationInfo {
    /// The server's proof that it knows the password as well: hexadecimal digits.
    public var rspauth: Secret<String>? { parameters["rspauth"].map { Secret($0) } }

    /// SCRAM's last message, which stands in the field when the server accepts; `nil` for other schemes.
    ///
    /// - Source: RFC 7804 §5.
    public func scram() -> SchemeDetails? {
        guard let data = parameters["data"], parameters["sid"] != nil else { return nil }
        var details = SchemeDetails("scram")
        details.add("sid", text: parameters["sid"])
        details.addSCRAM(data, at: parameters.first { $0.name == "data" }?.offset ?? 0)
        return details
    }
}
