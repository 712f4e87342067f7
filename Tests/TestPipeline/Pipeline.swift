public import AuthScanDiagnosis
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
    let capture = try readCapture(try Transcript(transcript).capture(style).bytes)
    return Diagnosis.diagnose(SessionBuilder.build(from: capture), of: capture)
}
