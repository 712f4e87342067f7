import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct UsualFramesTests {
    /// What the frames of a file bring: the number, the time and the segment of each that has one in place.
    private struct Reading: Equatable {
        var segments: [String] = []
        var frames = 0
        /// How many of the segments were read as those of usual frames.
        var usual = 0
    }

    /// Frames of which most are usual; some are cut, filled up, or have a wrong byte in their headers.
    private func frames(_ generator: inout SeededGenerator) -> (frames: [[UInt8]], originalLengths: [Int: Int]) {
        var frames: [[UInt8]] = []
        var originalLengths: [Int: Int] = [:]
        for index in 0..<400 {
            let payload = [UInt8](
                repeating: UInt8(truncatingIfNeeded: index),
                count: .random(in: 0...300, using: &generator)
            )
            var frame =
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: ethernetHeader(0x0800) + TestPacket.udp(to: .random(in: 0...9000, using: &generator), payload)
                case 1: ethernetHeader(0x0800) + TestSegment(payload: payload).ipv4(totalLength: 0)
                case 2: ethernetHeader(0x86DD) + TestSegment(payload: payload).ipv6()
                default: TestSegment(sequence: UInt32(index), payload: payload).ethernet
                }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: frame += [UInt8](repeating: 0, count: .random(in: 1...20, using: &generator))
            case 1:
                frame[.random(in: 12..<min(54, frame.count), using: &generator)] = .random(
                    in: 0...255,
                    using: &generator
                )
            case 2:
                originalLengths[index] = frame.count
                frame.removeLast(.random(in: 0...frame.count, using: &generator))
            default: break
            }
            frames.append(frame)
        }
        return (frames, originalLengths)
    }

    /// Reads a file, with or without the way for usual frames.
    private func read(_ file: [UInt8], usualApart: Bool) -> Reading {
        var reader = CaptureReader(limits: Limits())
        reader.beginFile(path: "file")
        var decoder = PacketDecoder()
        var processes = ProcessTable(limits: Limits())
        var reading = Reading()
        var (position, first, last) = (0, Int64.max, Int64.min)
        withBytes(of: file) { block in
            while true {
                let usual = UsualFrames(reader, at: position, blockStart: 1000, times: (first, last))
                if usualApart, var usual {
                    var batch = SegmentBatch()
                    repeat {
                        batch.removeAll()
                        usual.read(block, into: &batch)
                        for entry in batch.entries[..<batch.count] {
                            #expect(entry.start == 1000 + entry.frame.lowerBound)
                            reading.segments.append("\(entry.packet) \(entry.time) \(entry.frame) \(entry.segment)")
                        }
                        reading.usual += batch.count
                    } while batch.isFull
                    position = usual.position
                    reader.frames = usual.frames
                    reader.latestTime = Timestamp(nanoseconds: usual.latestTime)
                    (first, last) = (usual.firstTime, usual.lastTime)
                }
                guard let frame = reader.nextFrame(in: block, at: &position) else { break }
                (first, last) = (min(first, frame.time.nanoseconds), max(last, frame.time.nanoseconds))
                var segment = TCPSegment()
                let place = frame.start..<(frame.start + frame.count)
                if decoder.decode(block.extracting(place), of: frame, into: &segment, &processes) == .segment {
                    reading.segments.append("\(frame.number) \(frame.time) \(place) \(segment)")
                }
            }
        }
        reading.segments.append("\(first) \(last) \(reader.latestTime)")
        reading.frames = reader.frames
        return reading
    }

    @Test("usual frames are read as any others", arguments: 0..<UInt64(40))
    func isAsAnyOther(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (frames, originalLengths) = frames(&generator)
        let file = pcap(
            frames,
            magic: seed % 2 == 0 ? 0xA1B2_C3D4 : 0xA1B2_3C4D,
            isBigEndian: seed % 3 == 0,
            originalLengths: originalLengths
        )
        let (apart, alike) = (read(file, usualApart: true), read(file, usualApart: false))
        #expect(apart.segments == alike.segments)
        #expect(apart.frames == 400 && alike.frames == 400)
        #expect(apart.usual > 100 && apart.usual < apart.segments.count && alike.usual == 0)
    }

    @Test("no other file has usual frames", arguments: [(UInt32(101), UInt32(0xA1B2_C3D4)), (1, 0xA1B2_CD34)])
    func isOfEthernetAlone(linkType: UInt32, magic: UInt32) {
        var reader = CaptureReader(limits: Limits())
        reader.beginFile(path: "file")
        #expect(UsualFrames(reader, at: 0, blockStart: 0, times: (0, 0)) == nil)
        var position = 0
        withBytes(of: pcap([], linkType: linkType, magic: magic)) { _ = reader.nextFrame(in: $0, at: &position) }
        #expect(reader.format == .pcap)
        #expect(UsualFrames(reader, at: position, blockStart: 0, times: (0, 0)) == nil)
    }
}
