/// The port of Kerberos.
enum KerberosPort {
    /// Where key distribution centers answer, over UDP and TCP.
    ///
    /// - Source: RFC 4120 §7.2.1, §7.2.2.
    static let kdc: UInt16 = 88
}

extension PacketCursor {
    /// Reads a UDP datagram to or from the port of key distribution centers; `false` for any other, whose header is not passed.
    ///
    /// source port(2) destination port(2) length(2) checksum(2).
    ///
    /// - Source: RFC 768.
    mutating func readKDCDatagram(in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        guard has(8, in: bytes) else { return false }
        let source = bytes.bigEndian16(offset)
        let destination = bytes.bigEndian16(offset + 2)
        let length = Int(bytes.bigEndian16(offset + 4))
        guard source == KerberosPort.kdc || destination == KerberosPort.kdc, length >= 8 else { return false }
        end = min(end, offset + length)
        offset += 8
        segment.sourcePort = source
        segment.destinationPort = destination
        segment.payloadStart = offset
        segment.payloadCount = max(0, min(end, bytes.byteCount) - offset)
        segment.missingCount = max(0, end - max(offset, bytes.byteCount))
        return true
    }
}
