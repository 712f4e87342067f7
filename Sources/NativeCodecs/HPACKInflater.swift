internal import CNGHTTP2

/// Decompresses the header blocks of one direction of an HTTP/2 connection: the safe face of nghttp2's inflater.
///
/// - Source: RFC 7541.
@safe
public final class HPACKInflater {
    /// The block contradicts the format or the table; the state is of no use from here on.
    public struct Damaged: Error, Hashable, Sendable {}

    // SAFETY: the inflater is owned by this object alone, from `init` to `deinit`.
    private let inflater: OpaquePointer

    /// Prepares an empty dynamic table; `nil` where there is no memory.
    public init?() {
        var inflater: OpaquePointer?
        // SAFETY: nghttp2 fills in the pointer or says that it could not.
        guard unsafe nghttp2_hd_inflate_new(&inflater) == 0, let inflater = unsafe inflater else { return nil }
        unsafe self.inflater = unsafe inflater
    }

    deinit {
        // SAFETY: nobody uses the inflater any more.
        unsafe nghttp2_hd_inflate_del(inflater)
    }

    /// Allows the dynamic table to become as large as the decoder has announced (SETTINGS_HEADER_TABLE_SIZE).
    public func allowTableSize(_ size: Int) {
        // SAFETY: the inflater is between two blocks.
        _ = unsafe nghttp2_hd_inflate_change_table_size(inflater, size)
    }

    /// Decompresses a whole block, and hands each field to `body` as it was sent.
    ///
    /// A few bytes may stand for many long fields: once `limit` bytes of them have been handed over, the others are passed over.
    ///
    /// - Returns: Whether all fields were handed over.
    /// - Throws: At the first damage; the fields before it have been handed over.
    @discardableResult
    public func inflate(
        _ block: [UInt8],
        limit: Int,
        body: (_ name: [UInt8], _ value: [UInt8]) -> Void
    ) throws(Damaged) -> Bool {
        var consumed = 0
        var handedOver = 0
        while true {
            // SAFETY: the structure is plain data that nghttp2 fills in.
            var field = unsafe nghttp2_nv()
            var flags: Int32 = 0
            // SAFETY: nghttp2 reads at most as many bytes as stated; the field lives until the next call, and is copied here.
            let count = unsafe block.withUnsafeBufferPointer { bytes in
                let rest = unsafe bytes.baseAddress.map { unsafe $0 + consumed }
                return unsafe nghttp2_hd_inflate_hd2(inflater, &field, &flags, rest, bytes.count - consumed, 1)
            }
            guard count >= 0 else { throw Damaged() }
            consumed += count
            let isEmitted = flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0
            // RFC 7541 §4.1: a field counts for its octets and 32 more.
            if isEmitted { handedOver += unsafe min(field.namelen + field.valuelen, limit) + 32 }
            if isEmitted, handedOver <= limit {
                let name = unsafe Array(UnsafeBufferPointer(start: field.name, count: field.namelen))
                let value = unsafe Array(UnsafeBufferPointer(start: field.value, count: field.valuelen))
                body(name, value)
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 {
                // SAFETY: the block is complete, as nghttp2 asks.
                _ = unsafe nghttp2_hd_inflate_end_headers(inflater)
                return handedOver <= limit
            }
            if count == 0, !isEmitted { return handedOver <= limit }
        }
    }
}
