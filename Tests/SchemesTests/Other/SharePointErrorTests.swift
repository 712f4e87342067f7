import Testing

@testable import AuthScanSchemes

@Suite struct SharePointErrorTests {
    @Test("MS-WDVME 2.2.3")
    func reads() throws {
        let error = try #require(SharePointError("917656; Access%20denied.%20Before%20opening%20files"))
        #expect(error.wantsForms && error.message == "Access denied. Before opening files")
        #expect(SharePointError("589829")?.wantsForms == false)
        #expect(SharePointError("Access denied") == nil && SharePointError("") == nil)
    }
}
