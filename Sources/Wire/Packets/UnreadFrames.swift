/// The frames of a file that this version does not read, counted for the report.
struct UnreadFrames {
    /// The frames of link types that are not read.
    private(set) var unsupported: [(linkType: LinkType, frames: Int, first: Int)] = []

    /// How many IEEE 802.11 data frames were encrypted, and the first of them.
    private(set) var encrypted: (count: Int, first: Int) = (0, 0)

    /// How many link types are told apart; a pcapng file may name any number.
    private static let linkTypeLimit = 64

    /// Counts a frame of a link type.
    mutating func note(_ linkType: LinkType, packet: Int) {
        if let index = unsupported.firstIndex(where: { $0.linkType == linkType }) {
            unsupported[index].frames += 1
        } else if unsupported.count < UnreadFrames.linkTypeLimit {
            unsupported.append((linkType, 1, packet))
        }
    }

    /// Counts an encrypted frame.
    mutating func noteEncrypted(packet: Int) {
        encrypted = (encrypted.count + 1, encrypted.count == 0 ? packet : encrypted.first)
    }

    /// What was counted, a problem each.
    func problems(in file: String) -> [CaptureProblem] {
        var problems = unsupported.map { linkType, frames, first in
            CaptureProblem(
                kind: .unsupportedLinkType,
                file: file,
                packet: first,
                offset: nil,
                message: "\(frames) packets of \(linkType) are counted, not read"
            )
        }
        if encrypted.count > 0 {
            problems.append(
                CaptureProblem(
                    kind: .encryptedFrames,
                    file: file,
                    packet: encrypted.first,
                    offset: nil,
                    message: "\(encrypted.count) IEEE 802.11 data frames are encrypted (WEP or WPA): "
                        + "they are counted, not read"
                )
            )
        }
        return problems
    }
}
