extension BasicChallenge {
    /// Notes what is malformed.
    func check(_ element: inout FieldElement) {
        // RFC 7617 §2: "The authentication parameter 'realm' is REQUIRED".
        if parameters.index(named: .realm) == nil {
            element.note(.missingParameter, "realm is missing", at: element.offset)
        }
        // RFC 7617 §2.1: "The only allowed value is 'UTF-8'; it is to be matched case-insensitively".
        if let parameter = parameters.first(named: .charset), !parameter.value.isASCIIEqual(to: "UTF-8") {
            element.note(.invalidValue, "charset is not UTF-8", at: parameter.offset)
        }
    }
}
