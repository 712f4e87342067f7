import AuthScanWire

extension JSONWriter {
    /// Members that say in which of several files a packet lies; null where there is one file.
    mutating func placeMembers(of packet: Int, in places: PacketPlaces) {
        let place = places.place(of: packet)
        member("file", place?.file)
        member("filePacket", place?.packet)
    }

    /// The places of packets, in the same order; null where there is one file.
    mutating func write(_ places: PacketPlaces, of packets: [Int]) {
        guard !places.isEmpty else { return null() }
        array(packets) { json, packet in
            json.object {
                $0.member("packet", packet)
                $0.placeMembers(of: packet, in: places)
            }
        }
    }
}
