public import AuthScanDiagnosis
import AuthScanProof
public import AuthScanSessions
public import AuthScanWire
public import AuthScanBytes
public import TestSupport

/// Reads a capture that lies in memory, through the same entry point as a file.
public func readCapture(_ bytes: [UInt8], limits: Limits = Limits()) throws -> WireCapture {
    var analysis = CaptureAnalysis(limits: limits)
    analysis.beginFile(path: "memory.pcap", compression: nil)
    try analysis.receive(bytes)
    try analysis.endFile()
    return analysis.finish()
}

/// What the exchange and session stages make of a written conversation.
public func sessions(of transcript: String, style: CaptureStyle = .plain) throws -> Sessions {
    SessionBuilder.build(from: try readCapture(try Transcript(transcript).capture(style).bytes))
}

/// What the rules say about a written conversation.
public func diagnosis(of transcript: String, style: CaptureStyle = .plain) throws -> Diagnosis {
    let transcript = try Transcript(transcript)
    let capture = try readCapture(transcript.capture(style).bytes)
    let sessions = SessionBuilder.build(from: capture)
    let proofs = ExchangeProver.prove(sessions, tls: capture.tlsConnections, with: secrets(of: transcript))
    return Diagnosis.diagnose(sessions, of: capture, proofs: proofs)
}

/// The passwords that a transcript states.
private func secrets(of transcript: Transcript) -> KnownSecrets {
    var secrets = KnownSecrets()
    secrets.passwords = transcript.passwords.map { KnownSecrets.Password(user: $0.user, text: Secret($0.text)) }
    return secrets
}
