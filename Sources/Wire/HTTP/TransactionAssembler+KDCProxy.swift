import AuthScanBytes

// Bodies are passed over, but for those of a KDC proxy: Kerberos in the bodies of HTTP messages.

extension TransactionAssembler {
    /// Begins to keep the body of a message that goes to a KDC proxy, or answers one that did.
    mutating func watchBody(_ transaction: Int32, isResponse: Bool) {
        guard transaction >= 0 else { return }
        let index = Int(transaction)
        if isResponse {
            guard kdcBodies.isProxied(index) else { return }
        } else {
            // Nearly all requests are none; this looks at them where they lie.
            guard let request = transactions[index].request, request.isPost,
                KDCProxyBodies.isProxy(parser.target(of: request))
            else { return }
        }
        kdcBodies.begin(transaction: index, isResponse: isResponse)
    }

    /// Keeps the next bytes of a body in HTTP/1.
    mutating func keepBody(_ bytes: RawSpan, _ stream: Int) {
        guard streams[stream].transaction >= 0 else { return }
        kdcBodies.receive(
            bytes,
            transaction: Int(streams[stream].transaction),
            isResponse: streams[stream].kind == .responses,
            isBehindGap: streams[stream].isDamaged
        )
    }

    /// Keeps the next bytes of a body in HTTP/2.
    mutating func keepBody(_ bytes: RawSpan, _ header: HTTP2FrameHeader, _ session: HTTP2Session, isRequest: Bool) {
        guard let stream = session.streams[header.stream], stream.transaction >= 0 else { return }
        kdcBodies.receive(
            bytes,
            transaction: Int(stream.transaction),
            isResponse: !isRequest,
            // Padding stands among the bytes, and nobody sends it here.
            isBehindGap: stream.isDamaged || header.flags & HTTP2FrameHeader.padded != 0
        )
    }

    /// An HTTP/2 connection is over: what its streams still carry goes no further.
    mutating func endBodies(of session: HTTP2Session) {
        for transaction in session.streams.values.map(\.transaction).sorted() {
            endBody(transaction, isResponse: false, isWhole: false)
            endBody(transaction, isResponse: true, isWhole: false)
        }
    }

    /// A message whose body may have been kept has ended.
    mutating func endBody(_ transaction: Int32, isResponse: Bool, isWhole: Bool) {
        guard transaction >= 0 else { return }
        let index = Int(transaction)
        let evidence = isResponse ? transactions[index].response?.evidence : transactions[index].request?.evidence
        guard let evidence else { return }
        kdcBodies.end(
            transaction: index,
            isResponse: isResponse,
            isWhole: isWhole,
            connection: transactions[index].connection,
            packet: evidence.lastPacket,
            time: evidence.lastTime
        )
    }
}
