import AuthScanSchemes
import AuthScanSessions
import AuthScanWire
import TestPipeline
import Testing

@Suite struct KDCExchangeBuilderTests {
    @Test("questions and answers are paired, and say who wants what")
    func pairs() throws {
        let exchanges = try sessions(
            of: """
                kdc > AS-REQ client=alice etypes=18,23
                kdc < KRB-ERROR code=25
                kdc > AS-REQ client=alice
                kdc < AS-REP client=alice etype=17
                kdc > TGS-REQ service=HTTP/intranet.example
                kdc < TGS-REP client=alice service=HTTP/intranet.example
                kdc > AS-REQ client=bob
                """
        ).kdcExchanges
        #expect(exchanges.map(\.number) == [1, 2, 3, 4])
        #expect(exchanges.map { $0.error?.errorCode.rawValue } == [25, nil, nil, nil])
        #expect(exchanges.map { $0.reply?.msgType } == [nil, 11, 13, nil])
        #expect(exchanges.map(\.isInitial) == [true, true, false, true])
        #expect(exchanges.prefix(3).allSatisfy { $0.clientPrincipal == "alice@CORP.EXAMPLE" })
        #expect(exchanges[0].etypes.map(\.rawValue) == [18, 23] && exchanges[0].request?.packet == 1)
        #expect(exchanges[2].sname?.text == "HTTP/intranet.example" && exchanges[2].response?.packet == 6)
        #expect(exchanges[3].response == nil && exchanges[3].realm == "CORP.EXAMPLE")
        #expect(exchanges.allSatisfy { $0.connection == nil && $0.server.port == 88 })
    }

    @Test("a message that cannot be read is kept with its error")
    func keepsUnreadable() throws {
        let exchanges = try sessions(of: "kdc > AS-REQ client=alice cut=30\nkdc < KRB-ERROR code=60").kdcExchanges
        #expect(exchanges.count == 1)
        #expect(exchanges.first?.request?.message == nil && exchanges.first?.request?.problem != nil)
        #expect(exchanges.first?.error?.errorCode.rawValue == 60 && exchanges.first?.isInitial == nil)
    }

    @Test("clients are told apart")
    func tellsClientsApart() throws {
        let exchanges = try sessions(
            of: """
                kdc from 192.0.2.11 > AS-REQ client=bob
                kdc < KRB-ERROR code=24
                kdc > AS-REQ client=alice
                kdc < KRB-ERROR code=6
                """
        ).kdcExchanges
        #expect(exchanges.map { "\($0.client.address)" } == ["192.0.2.11", "192.0.2.10"])
        #expect(exchanges.map { $0.error?.errorCode.rawValue } == [24, 6])
    }

    @Test("what goes through a KDC proxy is paired like the rest, and names the proxy")
    func pairsProxied() throws {
        let exchanges = try sessions(
            of: """
                connection 1 to 198.51.100.30:443 over tls
                > POST /KdcProxy
                  body {KDC-PROXY AS-REQ client=alice}
                < 200
                  body {KDC-PROXY AS-REP client=alice}
                > POST /KdcProxy
                  body {KDC-PROXY TGS-REQ service=HTTP/intranet.example}
                < 200
                  body {KDC-PROXY KRB-ERROR code=7}
                > POST /KdcProxy
                  body "no message"
                < 400
                """
        ).kdcExchanges
        #expect(exchanges.map(\.isProxied) == [true, true, true] && exchanges.map(\.connection) == [1, 1, 1])
        #expect(exchanges.map { $0.request?.proxyMessage?.targetDomain } == ["CORP.EXAMPLE", "CORP.EXAMPLE", nil])
        #expect(exchanges[0].reply?.msgType == 11 && exchanges[1].error?.errorCode.rawValue == 7)
        #expect(exchanges[1].sname?.text == "HTTP/intranet.example" && "\(exchanges[1].server)" == "198.51.100.30:443")
        #expect(exchanges[2].request?.problem != nil && exchanges[2].response == nil)
    }
}
