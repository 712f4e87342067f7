import AuthScanBytes

@testable import AuthScanSchemes

/// Bytes written as hexadecimal digits, with white space between them.
func hex(_ digits: String) throws -> [UInt8] { try Hex.decode(Array(digits.utf8).filter { $0 > 0x20 }) }

/// The challenges of a field value written as text.
func challenges(_ text: String) -> [Challenge] { ChallengeParser.parseChallenges(Array(text.utf8)[...]) }

/// The credentials of a field value written as text.
func credentials(_ text: String) -> Credentials { ChallengeParser.parseCredentials(Array(text.utf8)[...]) }

extension Secret {
    /// The content, for comparison.
    var revealed: Content { withRevealed { $0 } }
}

/// Tokens that real clients and servers sent, in base64.
enum RecordedToken {
    /// curl with GSS-API, to Apache: SPNEGO with an AP-REQ.
    static let apReq =
        "YIIC8QYGKwYBBQUCoIIC5TCCAuGgDTALBgkqhkiG9xIBAgKiggLOBIICymCCAsYGCSqGSIb3EgECAgEAboICtTCCArGgAwIBBaEDAgEOogcDBQAg"
        + "AAAAo4IByGGCAcQwggHAoAMCAQWhDhsMQ09SUC5FWEFNUExFoigwJqADAgEDoR8wHRsESFRUUBsVaW50cmFuZXQuY29ycC5leGFtcGxlo4IBfTCC"
        + "AXmgAwIBEqEDAgECooIBawSCAWebaQ+e7RvhFkeUAsRKh47hC+UdMyRWRNRj+pU4D91p1pZnZ/yP1f5UfwIr+jVbFLaW+Lb2C/eZZeFL18gZhQaV"
        + "MdK9s/YbBkgSLn0l5Q7Jr3CK6+hALr233Y15D4d3ePvLbGtv6unxpge9/22mlnNnOzSzLhnG0eD6Qv5XZbwkkEbvy/kQEK2B1xOwqqoJj6+XpUqr"
        + "mmB1ajq5vk4pERnKyyACdy+BEIj4fLIxc0TZT56bVSAZqRaKCqVYQfajloUPw5tM2LEEZsGHDSx4JHRTvfN2x5sJGN9k7htf0f8CwjzY2r0XZPdW"
        + "73yDql6vZYJHsZjyNKSdE1Nvcb27HEMRVvN1B4k8CCM0f0mmAUvnJArxsTlrO9vr5qdRACkmXTO/OKoei3V5vBmbflHwHN4ApY+Q/0DIGkdVDQLq"
        + "139YRtqzJpxWK7XBn9WcM8WgwzAD2zWLxdaDxkol6U3YCZzfYGbNmi4W8qSBzzCBzKADAgESooHEBIHBWU1qy/2RH8rWyLCuulKsm36h0sW/hxhg"
        + "7vqiy9JGtvZnEMLN3GZCiBNMHStO12rnHaI3/Bo25qw5F0L/g4yM2JURyqGeLyh8kJ1DpSifctbDtoOOWpjM7qmgQPr62uEC9KCKI5O7JGhE0qMf"
        + "FF0hp0T4fpBAyhWV2qFkPR8U8Gzp8KdMUt1UEuCO8JYvibyo4CK8OvkCyNKjyiKLnrb7GZs+vhc5GXyNNRWJd356rnchY1IJd0Haf5kOj8j94N0j"
        + "gg=="

    /// Apache's answer to it: SPNEGO with an AP-REP.
    static let apRep =
        "oYG3MIG0oAMKAQChCwYJKoZIhvcSAQICooGfBIGcYIGZBgkqhkiG9xIBAgICAG+BiTCBhqADAgEFoQMCAQ+iejB4oAMCARKicQRvoktKtmR8/9lt"
        + "QAXly93IqVQmHrban0yX+J1PGqNmVGfELR+oHIxTqLoSHCbWRAT1kroupzlJD4ocKHEyVbUYBIPBPdhvXAaSQ2NvB2JkRGSpBKuIvLbmYBEFgYqr"
        + "ihJStictiuJgBP4jeQq8/7/5"

    /// Apache without the service's right key: SPNEGO with a KRB-ERROR.
    static let krbError =
        "oX8wfaADCgEConYEdGByBgkqhkiG9xIBAgIDAH5jMGGgAwIBBaEDAgEepBEYDzIwMjYxMTMwMDIzNDM4WqUFAgMFzPCmAwIBH6kOGwxDT1JQLkVY"
        + "QU1QTEWqJjAkoAMCAQOhHTAbGwRIVFRQGxNiYWRrZXkuY29ycC5leGFtcGxl"

    /// GSS-NTLMSSP: SPNEGO with a NEGOTIATE_MESSAGE.
    static let spnegoNTLM =
        "YEgGBisGAQUFAqA+MDygDjAMBgorBgEEAYI3AgIKoioEKE5UTE1TU1AAAQAAABeCCOIAAAAAAAAAAAAAAAAAAAAABgIAAAAAAA8="

    /// An answer in the extended session security form of NTLMv1.
    static let sessionSecurity =
        "TlRMTVNTUAADAAAAGAAYAFgAAAAYABgAcAAAAAgACACIAAAACgAKAJAAAAAEAAQAmgAAABAAEACeAAAANYKJ4gAMBAAAAAAPAAAAAAAAAAAAAAAA"
        + "AAAAAPxRT6eB/pZZAAAAAAAAAAAAAAAAAAAAAFvBp7jgal3nlZnczNha40NwESoR08J0VEMATwBSAFAAYQBsAGkAYwBlAFYATQCYp11iFXCwN6ie"
        + "lKObn97H"

    /// The bytes of a token.
    static func bytes(_ token: String) throws -> [UInt8] { try Base64.decode(Array(token.utf8)[...]) }
}
