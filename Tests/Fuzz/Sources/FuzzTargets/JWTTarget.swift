import AuthScanBytes
import AuthScanSchemes

extension FuzzTarget {
    /// Any text is a JSON Web Token, or is refused with a place inside it; times lie within the calendar.
    public static let jwt = FuzzTarget(name: "JWT") { input in
        let text = String(decoding: input, as: UTF8.self)
        switch JSONWebToken.read(text) {
        case .success(let token):
            precondition(token == JSONWebToken(decoding: text), "two results for one text")
            for claim in token.claims.keys {
                guard let time = token.time(claim) else { continue }
                precondition((0..<253_402_300_800).contains(time), "a time outside the calendar")
            }
            _ = token.validity(at: 0)
            _ = token.validity(at: .max)
            check(token.problem?.offset, in: text)
        case .failure(let error): check(error.offset, in: text)
        }
    }

    private static func check(_ offset: Int?, in text: String) {
        guard let offset else { return }
        precondition((0...text.utf8.count).contains(offset), "a problem lies outside the token")
    }
}
