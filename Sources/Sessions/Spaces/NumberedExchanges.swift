/// The exchanges of all sessions by their numbers: number *n* is at index *n* − 1.
public struct NumberedExchanges: RandomAccessCollection, Sendable {
    /// Where an exchange is.
    struct Place: Sendable {
        /// The index of its session.
        let session: Int32
        /// Its index among the exchanges of the session.
        let exchange: Int32
    }

    private let places: [Place]
    private let sessions: [ClientSession]

    /// No exchanges.
    public init() { self.init(places: [], in: []) }

    init(places: [Place], in sessions: [ClientSession]) {
        self.places = places
        self.sessions = sessions
    }

    /// The index of the first exchange.
    public var startIndex: Int { 0 }

    /// How many exchanges there are.
    public var endIndex: Int { places.count }

    /// The exchange with the number that follows an index.
    public subscript(index: Int) -> AuthenticationExchange {
        let place = places[index]
        return sessions[Int(place.session)].exchanges[Int(place.exchange)]
    }
}
