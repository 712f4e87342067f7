/// What the messages on a connection say of it, beside what its packets tell.
struct ConnectionContent {
    /// What it carried; inside a CONNECT tunnel, what the tunnel carried last.
    var applicationProtocol = ApplicationProtocol.other

    /// Whether any part of it was TLS that was not decrypted.
    var isEncrypted = false

    /// The direction of the end that behaves as the client; `nil` where nothing was said yet.
    var client: Direction?
}
