public import AuthScanSchemes

/// The credentials of one request towards one of the two, one element a field line: nearly always none or one.
public struct CredentialsList: RandomAccessCollection, Sendable {
    private enum Storage: Sendable {
        case none
        case one(Credentials)
        case several([Credentials])
    }

    private let storage: Storage

    /// Keeps a single one without a list.
    init(_ credentials: [Credentials]) {
        storage = credentials.isEmpty ? .none : credentials.count == 1 ? .one(credentials[0]) : .several(credentials)
    }

    init(_ only: Credentials?) { storage = only.map { .one($0) } ?? .none }

    /// The index of the first credentials: 0.
    public var startIndex: Int { 0 }

    /// How many there are.
    public var endIndex: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .several(let credentials): credentials.count
        }
    }

    /// Whether there are none.
    public var isEmpty: Bool { if case .none = storage { true } else { false } }

    /// The first ones; `nil` where there are none.
    public var first: Credentials? {
        switch storage {
        case .none: nil
        case .one(let credentials): credentials
        case .several(let credentials): credentials[0]
        }
    }

    /// The credentials at a place in the list.
    public subscript(position: Int) -> Credentials {
        switch storage {
        case .none: preconditionFailure("no credentials")
        case .one(let credentials):
            precondition(position == 0)
            return credentials
        case .several(let credentials): return credentials[position]
        }
    }
}
