import AuthScanNativeCodecs

extension [ClientSession] {
    /// Asks for what sessions a few places behind `index` hold, so that it is there when their turn comes.
    ///
    /// A session refers to its lists, these to transactions and exchanges, and a transaction to what was captured of it: what is
    /// asked for at one call is followed at a later one. It is to be called with one index after the other.
    public func prefetch(behind index: Int) {
        prefetchObjects((index + 12)..<(index + 13), byteCount: 3 * CacheLine.bytes)
        if index + 8 < count { self[index + 8].prefetchLists() }
        if index + 4 < count { self[index + 4].prefetchMembers() }
        if index + 2 < count { self[index + 2].prefetchCaptured() }
    }

    /// Calls `body` with each session, whose lists and tally are there by then.
    public func forEachSession(_ body: (ClientSession) -> Void) { forEachSession(indices, body) }

    /// The same with a range of the sessions.
    public func forEachSession(_ range: Range<Int>, _ body: (ClientSession) -> Void) {
        for index in range {
            prefetchObjects((index + 8)..<(index + 9), byteCount: 3 * CacheLine.bytes)
            body(self[index])
        }
    }
}

extension ClientSession {
    /// How many of its transactions and exchanges are asked for.
    private static let members = 16

    fileprivate func prefetchLists() {
        entries.prefetch(0, byteCount: ClientSession.members * MemoryLayout<Entry>.stride)
        exchanges.prefetch(0, byteCount: ClientSession.members * MemoryLayout<AuthenticationExchange>.stride)
    }

    fileprivate func prefetchMembers() {
        entries.prefetchObjects(0..<ClientSession.members, byteCount: 2 * CacheLine.bytes)
        exchanges.prefetchObjects(0..<ClientSession.members, byteCount: 3 * CacheLine.bytes)
    }

    fileprivate func prefetchCaptured() {
        guard let first = entries.first?.transaction else { return }
        first.prefetchCaptured(of: entries.prefix(ClientSession.members).lazy.map(\.summary))
    }
}
