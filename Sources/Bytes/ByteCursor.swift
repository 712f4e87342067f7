/// Reads a message front to back without ever reading past its end.
public struct ByteCursor {
    /// The whole message.
    public let bytes: ArraySlice<UInt8>

    /// The next byte to read, in bytes from the start of the message.
    public private(set) var offset = 0

    /// Starts at the first byte of a message.
    public init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// How many bytes are left to read.
    public var remaining: Int { bytes.count - offset }

    /// The next byte, left where it is; `nil` at the end.
    public func peek() -> UInt8? { remaining > 0 ? bytes[bytes.startIndex + offset] : nil }

    /// Takes the next `count` bytes; throws, and moves nothing, when fewer are left.
    public mutating func take(_ count: Int, as field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        guard (0...remaining).contains(count) else {
            throw DecodeError(.truncated(needed: count, available: remaining), field, offset: offset)
        }
        defer { offset += count }
        return bytes.dropFirst(offset).prefix(count)
    }

    /// The place of the next `count` bytes, which are taken; throws, and moves nothing, when fewer are left.
    @usableFromInline
    mutating func takePlace(_ count: Int, as field: String) throws(DecodeError) -> Int {
        guard count <= remaining else {
            throw DecodeError(.truncated(needed: count, available: remaining), field, offset: offset)
        }
        defer { offset += count }
        return bytes.startIndex + offset
    }

    /// Reads an integer stored least significant byte first.
    @inlinable
    public mutating func readLittleEndian<T: FixedWidthInteger>(
        _: T.Type,
        as field: String
    ) throws(DecodeError) -> T {
        let place = try takePlace(T.bitWidth / 8, as: field)
        var value: T = 0
        for index in 0..<(T.bitWidth / 8) { value |= T(truncatingIfNeeded: bytes[place + index]) << (8 * index) }
        return value
    }

    /// Reads an integer stored most significant byte first.
    @inlinable
    public mutating func readBigEndian<T: FixedWidthInteger>(
        _: T.Type,
        as field: String
    ) throws(DecodeError) -> T {
        let place = try takePlace(T.bitWidth / 8, as: field)
        var value: T = 0
        for index in 0..<(T.bitWidth / 8) { value = (value << 8) | T(truncatingIfNeeded: bytes[place + index]) }
        return value
    }
}
