import AuthScanSessions
import AuthScanWire

extension Transaction {
    /// The User-Agent field; `""` where it is empty or absent, `nil` where the head is not there whole.
    var userAgent: String? {
        guard let request, request.isHeadComplete else { return nil }
        return request.fields.text(of: .userAgent) ?? ""
    }

    /// Whether the resource was delivered.
    var isServed: Bool { status.map { (200..<400).contains($0) } ?? false }
}
