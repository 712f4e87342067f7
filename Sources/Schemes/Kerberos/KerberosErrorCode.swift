/// Why Kerberos refuses.
///
/// - Source: RFC 4120 §7.5.9; RFC 4556 §3.1.3.
public struct KerberosErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int
    /// Names a code.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The specification's name, such as `KRB_AP_ERR_SKEW`; `unknown (99)` for others.
    public var name: String { Self.table[rawValue]?.name ?? "unknown (\(rawValue))" }

    /// The meaning in the specification's words; empty for an unknown code.
    public var meaning: String { Self.table[rawValue]?.meaning ?? "" }

    private static let table: [Int: (name: String, meaning: String)] = [
        0: ("KDC_ERR_NONE", "No error"),
        1: ("KDC_ERR_NAME_EXP", "Client's entry in database has expired"),
        2: ("KDC_ERR_SERVICE_EXP", "Server's entry in database has expired"),
        3: ("KDC_ERR_BAD_PVNO", "Requested protocol version number not supported"),
        4: ("KDC_ERR_C_OLD_MAST_KVNO", "Client's key encrypted in old master key"),
        5: ("KDC_ERR_S_OLD_MAST_KVNO", "Server's key encrypted in old master key"),
        6: ("KDC_ERR_C_PRINCIPAL_UNKNOWN", "Client not found in Kerberos database"),
        7: ("KDC_ERR_S_PRINCIPAL_UNKNOWN", "Server not found in Kerberos database"),
        8: ("KDC_ERR_PRINCIPAL_NOT_UNIQUE", "Multiple principal entries in database"),
        9: ("KDC_ERR_NULL_KEY", "The client or server has a null key"),
        10: ("KDC_ERR_CANNOT_POSTDATE", "Ticket not eligible for postdating"),
        11: ("KDC_ERR_NEVER_VALID", "Requested starttime is later than end time"),
        12: ("KDC_ERR_POLICY", "KDC policy rejects request"),
        13: ("KDC_ERR_BADOPTION", "KDC cannot accommodate requested option"),
        14: ("KDC_ERR_ETYPE_NOSUPP", "KDC has no support for encryption type"),
        15: ("KDC_ERR_SUMTYPE_NOSUPP", "KDC has no support for checksum type"),
        16: ("KDC_ERR_PADATA_TYPE_NOSUPP", "KDC has no support for padata type"),
        17: ("KDC_ERR_TRTYPE_NOSUPP", "KDC has no support for transited type"),
        18: ("KDC_ERR_CLIENT_REVOKED", "Client's credentials have been revoked"),
        19: ("KDC_ERR_SERVICE_REVOKED", "Credentials for server have been revoked"),
        20: ("KDC_ERR_TGT_REVOKED", "TGT has been revoked"),
        21: ("KDC_ERR_CLIENT_NOTYET", "Client not yet valid; try again later"),
        22: ("KDC_ERR_SERVICE_NOTYET", "Server not yet valid; try again later"),
        23: ("KDC_ERR_KEY_EXPIRED", "Password has expired; change password to reset"),
        24: ("KDC_ERR_PREAUTH_FAILED", "Pre-authentication information was invalid"),
        25: ("KDC_ERR_PREAUTH_REQUIRED", "Additional pre-authentication required"),
        26: ("KDC_ERR_SERVER_NOMATCH", "Requested server and ticket don't match"),
        27: ("KDC_ERR_MUST_USE_USER2USER", "Server principal valid for user2user only"),
        28: ("KDC_ERR_PATH_NOT_ACCEPTED", "KDC Policy rejects transited path"),
        29: ("KDC_ERR_SVC_UNAVAILABLE", "A service is not available"),
        31: ("KRB_AP_ERR_BAD_INTEGRITY", "Integrity check on decrypted field failed"),
        32: ("KRB_AP_ERR_TKT_EXPIRED", "Ticket expired"),
        33: ("KRB_AP_ERR_TKT_NYV", "Ticket not yet valid"),
        34: ("KRB_AP_ERR_REPEAT", "Request is a replay"),
        35: ("KRB_AP_ERR_NOT_US", "The ticket isn't for us"),
        36: ("KRB_AP_ERR_BADMATCH", "Ticket and authenticator don't match"),
        37: ("KRB_AP_ERR_SKEW", "Clock skew too great"),
        38: ("KRB_AP_ERR_BADADDR", "Incorrect net address"),
        39: ("KRB_AP_ERR_BADVERSION", "Protocol version mismatch"),
        40: ("KRB_AP_ERR_MSG_TYPE", "Invalid msg type"),
        41: ("KRB_AP_ERR_MODIFIED", "Message stream modified"),
        42: ("KRB_AP_ERR_BADORDER", "Message out of order"),
        44: ("KRB_AP_ERR_BADKEYVER", "Specified version of key is not available"),
        45: ("KRB_AP_ERR_NOKEY", "Service key not available"),
        46: ("KRB_AP_ERR_MUT_FAIL", "Mutual authentication failed"),
        47: ("KRB_AP_ERR_BADDIRECTION", "Incorrect message direction"),
        48: ("KRB_AP_ERR_METHOD", "Alternative authentication method required"),
        49: ("KRB_AP_ERR_BADSEQ", "Incorrect sequence number in message"),
        50: ("KRB_AP_ERR_INAPP_CKSUM", "Inappropriate type of checksum in message"),
        51: ("KRB_AP_PATH_NOT_ACCEPTED", "Policy rejects transited path"),
        52: ("KRB_ERR_RESPONSE_TOO_BIG", "Response too big for UDP; retry with TCP"),
        60: ("KRB_ERR_GENERIC", "Generic error (description in e-text)"),
        61: ("KRB_ERR_FIELD_TOOLONG", "Field is too long for this implementation"),
        62: ("KDC_ERR_CLIENT_NOT_TRUSTED", "The client's certificate is not trusted"),
        63: ("KDC_ERR_KDC_NOT_TRUSTED", "The KDC's certificate is not trusted"),
        64: ("KDC_ERR_INVALID_SIG", "The signature is invalid"),
        65: ("KDC_ERR_DH_KEY_PARAMETERS_NOT_ACCEPTED", "The Diffie-Hellman parameters are not accepted"),
        66: ("KDC_ERR_CERTIFICATE_MISMATCH", "The certificate does not match the client"),
        67: ("KRB_AP_ERR_NO_TGT", "No TGT available to validate USER-TO-USER"),
        68: ("KDC_ERR_WRONG_REALM", "Wrong realm"),
        69: ("KRB_AP_ERR_USER_TO_USER_REQUIRED", "Ticket must be for USER-TO-USER"),
        70: ("KDC_ERR_CANT_VERIFY_CERTIFICATE", "The certificate cannot be verified"),
        71: ("KDC_ERR_INVALID_CERTIFICATE", "The certificate is invalid"),
        72: ("KDC_ERR_REVOKED_CERTIFICATE", "The certificate is revoked"),
        73: ("KDC_ERR_REVOCATION_STATUS_UNKNOWN", "The certificate's revocation status is unknown"),
        74: ("KDC_ERR_REVOCATION_STATUS_UNAVAILABLE", "The certificate's revocation status is unavailable"),
        75: ("KDC_ERR_CLIENT_NAME_MISMATCH", "The client's name does not match its certificate"),
        76: ("KDC_ERR_KDC_NAME_MISMATCH", "The KDC's name does not match its certificate"),
        77: ("KDC_ERR_INCONSISTENT_KEY_PURPOSE", "The certificate's key purpose is inconsistent"),
        78: ("KDC_ERR_DIGEST_IN_CERT_NOT_ACCEPTED", "The digest in the certificate is not accepted"),
        79: ("KDC_ERR_PA_CHECKSUM_MUST_BE_INCLUDED", "The checksum of the request must be included"),
        80: ("KDC_ERR_DIGEST_IN_SIGNED_DATA_NOT_ACCEPTED", "The digest in the signed data is not accepted"),
        81: ("KDC_ERR_PUBLIC_KEY_ENCRYPTION_NOT_SUPPORTED", "Public key encryption is not supported"),
    ]
}
