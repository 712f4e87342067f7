import AuthScanSchemes
import TestSupport
import Testing

@Suite struct URISecretsTests {
    /// A reference in which what must be redacted stands between ⟨ and ⟩.
    private func expectRedacted(_ marked: String, as redact: (String) -> String = { URISecrets.redacted($0) }) {
        var expected = ""
        for part in marked.split(separator: "⟨", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "⟩", maxSplits: 1, omittingEmptySubsequences: false)
            expected += pieces.count == 2 ? "‹redacted, \(pieces[0].utf8.count) bytes›\(pieces[1])" : String(part)
        }
        let plain = marked.filter { $0 != "⟨" && $0 != "⟩" }
        #expect(redact(plain) == expected)
    }

    @Test(
        "the values of parameters that grant or prove something",
        arguments: [
            // RFC 6750 §2.3.
            "https://server.example.com/resource?access_token=⟨mF_9.B5f-4.1JqM⟩&p=q",
            // RFC 6749 §4.1.2: state is no credential.
            "https://client.example.com/cb?code=⟨SplxlOBeZQQYbYS6WxSbIA⟩&state=xyz",
            // RFC 6749 §4.2.2, as a fragment.
            "http://example.com/cb#access_token=⟨2YotnFZFEjr1zCsicMWpAA⟩&state=xyz&token_type=bearer&expires_in=3600",
            "/login?user=alice&password=⟨secret⟩", "/login?user=alice;password=⟨secret⟩", "/a?client_secret=⟨x⟩&a",
            "/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=⟨fe5f⟩&X-Amz-Security-Token=⟨IQoJ⟩&X-Amz-Expires=60",
            "/c/blob?sv=2022-11-02&sr=b&sig=⟨abc%2F%3D⟩&se=2026-01-05", "/a?Expires=1&Signature=⟨x⟩&Key-Pair-Id=APKA",
            "/a?refresh_token=⟨1⟩&id_token=⟨2⟩&apiKey=⟨3⟩&api_key=⟨4⟩&key=⟨5⟩&authToken=⟨6⟩&SAMLResponse=⟨7⟩",
            "/a?PASSWORD=⟨x⟩", "/a?user[password]=⟨x⟩", "/a?%70assword=⟨x⟩", "/a?newPassword2=⟨x⟩",
            "/a;jsessionid=⟨1A2B⟩?b=c", "/a;v=1;jsessionid=⟨1A2B⟩/b;w=2", "/a&password=⟨x⟩/b",
            "/access_token=⟨x⟩/b",
            // What is not encoded, though it should be, belongs to the value.
            "/a?password=⟨x;y?z#w/v⟩&b=c", "/a?b=c?token=⟨x⟩", "/a?b#c?token=⟨x⟩",
        ]
    )
    func redactsParameters(reference: String) { expectRedacted(reference) }

    @Test(
        "a password in userinfo, but not the user",
        arguments: [
            "http://alice:⟨secret⟩@intranet.example/a", "https://alice:⟨a:b@c⟩@host:8443?x=y", "//alice:⟨x⟩@host",
            "/go?to=http://alice:⟨secret⟩@host/", "/http://alice:⟨secret⟩@host/b", "ftp://a:⟨b⟩@c#d",
            "http://alice@host/",
            "http://alice:@host/", "http://host:80/alice:x@y",
        ]
    )
    func redactsPasswords(reference: String) { expectRedacted(reference) }

    @Test(
        "a JSON Web Token under any name, and a URI with secrets inside another",
        arguments: [
            "/a?x=⟨eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.⟩&y=1", "/verify/⟨eyJhbGciOiJub25lIn0.e30.c2ln⟩/done",
            "/a?⟨eyJhbGciOiJub25lIn0.e30.c2ln⟩", "/a?b;c=⟨eyJhbGciOiJub25lIn0.e30.⟩",
            "/a?next=⟨%2Fb%3Faccess_token%3Dx⟩&c=d", "/a?next=⟨https%3A%2F%2Falice%3Asecret%40host%2F⟩",
            "/a?next=⟨%2Fb%3Fnext%3D%252Fc%253Fcode%253Dx⟩", "/a?x=⟨eyJ%68bGci.e30%2Ec2ln.⟩",
            "/a?next=%2Fb%3Fpage%3D2&x=100%25%zz%", "/go/⟨%2Fb%3Ftoken%3Dx⟩/c", "/a%20b/c=d%3B",
        ]
    )
    func redactsWhatIsPacked(reference: String) { expectRedacted(reference) }

    @Test(
        "what is no secret stays as it is",
        arguments: [
            "", "/", "*", "/a/b.html?page=2&sort=name&q=eyJ.x", "/a?password=", "/a?access_token", "/a?token=&b=c",
            "/reset-password/form", "/a?country_code=DE&zip-code=1&status=ok&monkey=1&design=2&keyword=x&assign=y",
            "/oauth?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp%2Fcb&scope=a%20b&nonce=n&state=s",
            "HTTP/intranet.example@CORP.EXAMPLE", "alice:x@host", "?", "#", "&&;;==", "/a?=x", "/Jupiter",
        ]
    )
    func leavesTheRest(reference: String) { #expect(URISecrets.redacted(reference) == reference) }

    @Test(
        "a request target in any of the four forms",
        arguments: [
            "/a?token=⟨x⟩", "http://alice:⟨secret⟩@host/a", "*", "alice:⟨secret⟩@host:443", "host:443",
            "[2001:db8::1]:443",
        ]
    )
    func redactsTargets(target: String) { expectRedacted(target) { URISecrets.redacted(target: $0) } }

    @Test("any length and nesting is answered at once")
    func isBounded() {
        let unit = "/a://b:c@;x=%25252525?y=%3F#token=;&"
        let long = String(repeating: unit, count: 4000)
        let elapsed = processorTime { _ = URISecrets.redacted(target: long) }
        #expect(elapsed < .seconds(20))
    }
}
