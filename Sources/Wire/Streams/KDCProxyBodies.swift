import AuthScanBytes

/// The bodies of HTTP messages to and from a KDC proxy: of all bodies these alone are kept.
///
/// A body is named by its key: the index of its transaction, doubled, and one more for the response's.
///
/// - Source: MS-KKDCP §2.1, §3.1.5.1.
struct KDCProxyBodies {
    /// A body that has ended.
    struct Finished {
        let connection: Int
        let isFromClient: Bool
        let packet: Int
        let time: Timestamp
        let bytes: [UInt8]
        let missingBytes: Int
    }

    /// One body, as far as it has come.
    private struct Body {
        var bytes: [UInt8] = []
        /// How many bytes came behind a place where some are missing.
        var lostBytes = 0
    }

    /// How many bodies were not kept because there were too many, or too many bytes of them, or they were too long.
    private(set) var beyondCount = 0
    private(set) var beyondBytes = 0
    private(set) var tooLong = 0

    private var open: [Int: Body] = [:]
    /// The transactions whose request went to a proxy.
    private var transactions: Set<Int> = []
    private var finished: [Finished] = []
    private var keptBytes = 0
    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    /// Whether no body is being kept.
    var isEmpty: Bool { open.isEmpty }

    /// Whether a transaction's request went to a proxy.
    func isProxied(_ transaction: Int) -> Bool { !transactions.isEmpty && transactions.contains(transaction) }

    /// Whether the target of a POST is a proxy.
    ///
    /// - Source: MS-KKDCP §2.1: "KdcProxy" is the path that clients take unless they are told another.
    static func isProxy(_ target: String) -> Bool {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let name = "/kdcproxy".utf8
        return path.count >= name.count
            && zip(path.suffix(name.count), name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }

    /// Begins to keep a body.
    mutating func begin(transaction: Int, isResponse: Bool) {
        guard finished.count + open.count < limits.kdcMessages else {
            beyondCount += 1
            return
        }
        transactions.insert(transaction)
        open[transaction * 2 + (isResponse ? 1 : 0)] = Body()
    }

    /// Takes the next bytes of a body; those behind a gap are counted alone.
    mutating func receive(_ bytes: RawSpan, transaction: Int, isResponse: Bool, isBehindGap: Bool) {
        let key = transaction * 2 + (isResponse ? 1 : 0)
        guard var body = open.removeValue(forKey: key) else { return }
        if isBehindGap {
            body.lostBytes += bytes.byteCount
        } else if body.bytes.count + bytes.byteCount > limits.kdcMessageBytes {
            tooLong += 1
            keptBytes -= body.bytes.count
            return
        } else if keptBytes + bytes.byteCount > limits.kdcBytes {
            beyondBytes += 1
            keptBytes -= body.bytes.count
            return
        } else {
            body.bytes.append(bytes)
            keptBytes += bytes.byteCount
        }
        open[key] = body
    }

    /// A body has ended, or nothing more comes of it; one without a byte is none.
    mutating func end(
        transaction: Int,
        isResponse: Bool,
        isWhole: Bool,
        connection: Int,
        packet: Int,
        time: Timestamp
    ) {
        guard let body = open.removeValue(forKey: transaction * 2 + (isResponse ? 1 : 0)), !body.bytes.isEmpty else {
            return
        }
        finished.append(
            Finished(
                connection: connection,
                isFromClient: !isResponse,
                packet: packet,
                time: time,
                bytes: body.bytes,
                // Of what lies in a gap no more is known than that it is there.
                missingBytes: isWhole ? 0 : max(1, body.lostBytes)
            )
        )
    }

    /// The bodies as records of the connections that carried them.
    mutating func finish(_ connections: [Connection]) -> [KDCRecord] {
        defer { finished = [] }
        return finished.map { body in
            KDCRecord(
                client: connections[body.connection - 1].client,
                server: connections[body.connection - 1].server,
                isFromClient: body.isFromClient,
                isProxied: true,
                connection: body.connection,
                packet: body.packet,
                time: body.time,
                bytes: Secret(body.bytes),
                missingBytes: body.missingBytes
            )
        }
    }
}
