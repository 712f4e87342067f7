import AuthScanNativeCodecs
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct KeyScheduleTests {
    /// The traffic keys of RFC 8448 §3.
    @Test func expandsLabels() {
        let secret = bytes(hex: "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38")
        #expect(
            KeySchedule.expandLabel(secret, "key", count: 16, .sha256) == bytes(hex: "3fce516009c21727d0f2e4e86ee403bc")
        )
        #expect(KeySchedule.expandLabel(secret, "iv", count: 12, .sha256) == bytes(hex: "5d313eb2671276ee13000b30"))
    }

    /// The vector for P_SHA256 that was posted to the TLS working group's list in 2009.
    @Test func expandsWithTLS12() {
        let output = KeySchedule.pseudorandom(
            bytes(hex: "9bbe436ba940f017b17652849a71db35"),
            "test label",
            bytes(hex: "a0ba9f936cda311827a6f796ffd5198c"),
            count: 100,
            version: .tls12,
            .sha256
        )
        #expect(
            output
                == bytes(
                    hex:
                        """
                        e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af
                        0fa022f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff701
                        87347b66
                        """
                )
        )
    }
}
