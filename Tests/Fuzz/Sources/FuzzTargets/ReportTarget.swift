import AuthScanBytes
import AuthScanDiagnosis
import AuthScanReport
import AuthScanSessions
import AuthScanWire

extension FuzzTarget {
    /// Any conversation gives a report in both renderings, in which nothing acts on a terminal, and whose findings are
    /// about packets of the capture.
    ///
    /// The input is a script as for `httpStream`.
    public static let report = FuzzTarget(name: "Report") { input in
        guard let capture = read(Conversation(script: input).file, inPiecesOf: 1 << 16) else {
            preconditionFailure("a well-formed capture was refused")
        }
        let sessions = SessionBuilder.build(from: capture)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture)
        let report = Report(capture: capture, sessions: sessions, diagnosis: diagnosis)
        for finding in report.findings {
            precondition(!finding.packets.isEmpty, "a finding without a packet")
            for packet in finding.packets {
                precondition((1...capture.packets).contains(packet), "a finding lies outside the capture")
            }
        }
        let text = TextReport(isColoured: false).render(report)
        let json = String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self)
        precondition(!text.unicodeScalars.contains(where: acts), "the text report acts on a terminal")
        precondition(!json.unicodeScalars.contains(where: acts), "the JSON report acts on a terminal")
    }

    /// Whether a character is another control character than the line feed, or a format character.
    private static func acts(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 && scalar != "\n" }
        return scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
    }
}
