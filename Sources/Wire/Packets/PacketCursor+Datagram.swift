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
        guard source == KerberosPort.kdc || destination == KerberosPort.kdc else { return false }
        return readDatagram(in: bytes, into: &segment)
    }

    /// Reads a UDP datagram that begins with the long header of a known version of QUIC; `false` for any other, whose header
    /// is not passed.
    ///
    /// - Source: RFC 9000 §17.2.
    mutating func readQUICDatagram(in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        guard has(8, in: bytes), bytes.bigEndian16(offset + 4) >= 8 + 7,
            PacketCursor.startsQUIC(bytes, at: offset + 8)
        else { return false }
        return readDatagram(in: bytes, into: &segment)
    }

    /// Whether a long header of QUIC lies at `start`: form and fixed bit, a version, and connection identifiers that fit.
    @inline(__always)
    static func startsQUIC(_ bytes: RawSpan, at start: Int) -> Bool {
        guard start &+ 7 <= bytes.byteCount, bytes.byte(start) & 0xC0 == 0xC0,
            QUICVersion(rawValue: bytes.bigEndian32(start &+ 1)).isKnown
        else { return false }
        // RFC 9000 §17.2: connection identifiers of at most 20 bytes; before drafts said so, both lengths were in one byte.
        return bytes.byte(start &+ 5) <= 20 || bytes.byte(start &+ 1) != 0
    }

    private mutating func readDatagram(in bytes: RawSpan, into segment: inout TCPSegment) -> Bool {
        let length = Int(bytes.bigEndian16(offset + 4))
        guard length >= 8 else { return false }
        segment.sourcePort = bytes.bigEndian16(offset)
        segment.destinationPort = bytes.bigEndian16(offset + 2)
        end = min(end, offset + length)
        offset += 8
        segment.payloadStart = offset
        segment.payloadCount = max(0, min(end, bytes.byteCount) - offset)
        segment.missingCount = max(0, end - max(offset, bytes.byteCount))
        return true
    }
}
