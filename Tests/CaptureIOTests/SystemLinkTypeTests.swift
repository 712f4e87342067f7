import Testing

@testable import AuthScanCaptureIO

@Suite struct SystemLinkTypeTests {
    @Test(
        "a registered number comes back from the system's",
        arguments: [0, 1, 101, 104, 107, 113, 127, 228, 258, 276]
    )
    func comesBack(linkType: UInt16) {
        #expect(registeredLinkType(systemLinkType(linkType)) == linkType)
    }

    @Test func numbersOfOtherSystemsAreRawIP() {
        #expect(systemLinkType(14) == systemLinkType(101))
    }
}
