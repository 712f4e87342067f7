public import AuthScanBytes
import AuthScanDiagnosis
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Renders a report as JSON, schema `authscan/1`.
///
/// A value that is not known is `null`, never left out.
public struct JSONReport: Sendable {
    private let secrets: SecretPolicy

    /// Prepares a renderer.
    public init(secrets: SecretPolicy) { self.secrets = secrets }

    /// The report as UTF-8 text with a line end.
    public func render(_ report: Report) -> [UInt8] {
        var text: [UInt8] = []
        render(report) {
            text += $0
            return true
        }
        return text
    }

    /// Renders the report as UTF-8 text with a line end, and hands it on piece by piece: that of a large capture is larger than
    /// all that is known of it.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - workers: Who writes the long lists.
    ///   - handOn: Takes the pieces in order, and says whether to go on; it is not called again once it says no.
    public func render(_ report: Report, workers: Workers = .one, to handOn: ([UInt8]) -> Bool) {
        withoutActuallyEscaping(handOn) { handOn in
            var writer = JSONWriter(handOn: handOn)
            write(report, workers, to: &writer)
            writer.finish()
        }
    }

    private func write(_ report: Report, _ workers: Workers, to writer: inout JSONWriter) {
        writer.object { json in
            json.member("schema", "authscan/1")
            json.key("tool")
            json.object {
                $0.member("name", Report.toolName)
                $0.member("version", Report.toolVersion)
            }
            json.key("capture")
            write(report, to: &json)
            json.key("connections")
            write(report.capture, workers, to: &json)
            json.key("transactions")
            let transaction = TransactionJSON(secrets: secrets, places: report.capture.places)
            json.array(report.sessions.transactions, workers) { transaction.write($1, to: &$0) }
            json.key("protectionSpaces")
            json.array(report.spaces, write)
            json.key("appTransportSecurity")
            json.array(ReportedServer.all(in: report), TransportSecurityJSON().write)
            json.key("exchanges")
            json.array(report.sessions.exchanges, workers) { json, exchange in
                ExchangeJSON(secrets: secrets).write(exchange, report.proofs[exchange: exchange.number], to: &json)
            }
            json.key("kdcExchanges")
            json.array(report.sessions.kdcExchanges) {
                KDCExchangeJSON(secrets: secrets).write($1, report.proofs[kdcExchange: $1.number], to: &$0)
            }
            json.key("chains")
            json.array(report.chains, workers) { write(&$0, $1, report.capture) }
            json.key("findings")
            json.array(report.findings, workers) { write(&$0, $1, report.capture.places) }
            json.key("notAssessed")
            json.array(report.notAssessed, write)
        }
    }

    private func write(_ json: inout JSONWriter, _ chain: ReportedChain, _ capture: WireCapture) {
        json.object { json in
            json.member("number", chain.number)
            json.member("client", chain.client.description)
            json.member("process", chain.process(in: capture))
            json.member("space", chain.space.number)
            json.member("exchanges", chain.exchanges.map(\.number))
            json.member("transactions", chain.transactions)
            json.key("steps")
            json.array(chain.steps) { json, result in
                json.object {
                    $0.member("step", result.step.rawValue)
                    $0.member("state", result.state.rawValue)
                    $0.member("packet", result.packet)
                }
            }
            json.member("verdict", chain.verdict.rawValue)
            json.key("breakpoint")
            guard let breakpoint = chain.breakpoint else { return json.null() }
            json.object {
                $0.member("step", breakpoint.step.rawValue)
                $0.member("finding", breakpoint.finding)
                $0.member("packet", breakpoint.packet)
                $0.placeMembers(of: breakpoint.packet, in: capture.places)
            }
        }
    }

    private func write(_ json: inout JSONWriter, _ finding: Finding, _ places: PacketPlaces) {
        json.object { json in
            json.member("number", finding.number)
            json.member("rule", finding.rule)
            json.member("severity", finding.severity.rawValue)
            json.member("confidence", finding.confidence.rawValue)
            json.member("chain", finding.chain)
            json.member("connections", finding.connections)
            json.member("transactions", finding.transactions)
            json.member("packets", finding.packets)
            json.key("places")
            json.write(places, of: finding.packets)
            json.member("message", finding.message)
            json.member("explains", finding.explains)
        }
    }

    private func write(_ json: inout JSONWriter, _ unassessed: Unassessed) {
        json.object {
            $0.member("rule", unassessed.rule)
            $0.member("connections", unassessed.connections)
            $0.member("reason", unassessed.reason)
        }
    }
}

// MARK: - Capture

extension JSONReport {
    private func write(_ report: Report, to json: inout JSONWriter) {
        let capture = report.capture
        json.object { json in
            json.key("files")
            json.array(capture.files) { json, file in
                json.object {
                    $0.member("path", file.path)
                    $0.member("format", file.format)
                    $0.member("compression", file.compression)
                    $0.member("packets", file.packets)
                    $0.member("bytes", file.bytes)
                }
            }
            json.member("packets", capture.packets)
            json.key("selection")
            write(capture.selection, host: report.host, to: &json)
            json.member("firstTime", capture.firstTime?.rfc3339)
            json.member("lastTime", capture.lastTime?.rfc3339)
            json.key("problems")
            json.array(capture.problems) { json, problem in
                json.object {
                    $0.member("kind", problem.kind.rawValue)
                    $0.member("file", problem.file)
                    $0.member("packet", problem.packet)
                    $0.member("offset", problem.offset)
                    $0.member("message", problem.message)
                }
            }
            let lack = report.lack
            json.member("missingBytes", lack.missingBytes)
            json.member("gaps", lack.gaps)
            json.member("truncatedPackets", lack.truncatedPackets)
            json.member("oneSidedConnections", lack.oneSidedConnections)
            json.member("missingStarts", lack.missingStarts)
            json.member("unansweredRequests", lack.unansweredRequests)
            json.member("missingRequests", lack.missingRequests)
            json.member("encryptedConnections", report.encryptedConnections)
            json.key("quicConnections")
            json.array(capture.quicConnections) { json, connection in
                json.object {
                    $0.member("client", connection.client.description)
                    $0.member("server", connection.server.description)
                    $0.member("version", connection.version.description)
                    $0.member("firstPacket", connection.firstPacket)
                    $0.member("packets", connection.packets)
                }
            }
            json.key("limitsExceeded")
            json.array(report.limitsExceeded) { json, exceeded in
                json.object {
                    $0.member("limit", exceeded.limit)
                    $0.member("value", exceeded.value)
                    $0.member("leftOut", exceeded.leftOut)
                }
            }
        }
    }

    private func write(_ selection: SelectionSummary?, host: String?, to json: inout JSONWriter) {
        guard selection != nil || host != nil else { return json.null() }
        json.object {
            $0.member("filter", selection?.filter)
            $0.member("time", selection?.time)
            $0.member("host", host)
            $0.member("packets", selection?.packets)
        }
    }

    private func write(_ capture: WireCapture, _ workers: Workers, to json: inout JSONWriter) {
        // Of two, one inside the other, the inner one begins later and is the server's own.
        let tls = Dictionary(grouping: capture.tlsConnections, by: \.connection)
        let http2 = Dictionary(capture.http2Connections.map { ($0.connection, $0) }) { $1 }
        json.array(capture.connections, workers) { json, connection in
            let (layers, frames) = (tls[connection.number] ?? [], http2[connection.number])
            write(&json, connection, capture.process(of: connection), layers, frames)
        }
    }

    private func write(
        _ json: inout JSONWriter,
        _ connection: Connection,
        _ process: ProcessInformation?,
        _ tls: [TLSConnection],
        _ http2: HTTP2Connection?
    ) {
        json.object { json in
            json.member("number", connection.number)
            json.member("client", connection.client.description)
            json.member("server", connection.server.description)
            json.member("protocol", connection.applicationProtocol.rawValue)
            json.member("firstPacket", connection.firstPacket)
            json.member("lastPacket", connection.lastPacket)
            json.member("startSeen", connection.startSeen)
            json.member("closedBy", connection.closedBy?.rawValue)
            json.member("process", process)
            json.key("tls")
            if let own = tls.last { TLSJSON().write(&json, own) } else { json.null() }
            json.key("outerTLS")
            json.array(Array(tls.dropLast()), TLSJSON().write)
            json.key("http2")
            if let http2 { HTTP2JSON().write(&json, http2) } else { json.null() }
            json.key("gaps")
            json.array(connection.gaps) { json, gap in
                json.object {
                    $0.member("from", gap.from.rawValue)
                    $0.member("bytes", gap.bytes)
                    $0.member("beforePacket", gap.beforePacket)
                }
            }
        }
    }

    private func write(_ json: inout JSONWriter, _ space: ProtectionSpace) {
        json.object {
            $0.member("number", space.number)
            $0.member("origin", space.origin.description)
            $0.member("realm", space.realm)
            $0.member("proxy", space.isProxy)
            $0.member("schemes", space.schemes.map(\.rawValue))
            $0.member("appleMethods", space.appleMethods)
        }
    }
}
