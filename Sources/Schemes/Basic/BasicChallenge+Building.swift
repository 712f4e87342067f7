extension BasicChallenge {
    init(_ element: inout FieldElement) {
        realm = element.value("realm")
        charset = element.value("charset")
        // RFC 7617 §2: "The authentication parameter 'realm' is REQUIRED".
        if realm == nil { element.note(.missingParameter, "realm is missing", at: element.offset) }
        // RFC 7617 §2.1: "The only allowed value is 'UTF-8'; it is to be matched case-insensitively".
        if let charset, !charset.isASCIIEqual(to: "UTF-8") {
            element.note(.invalidValue, "charset is not UTF-8", at: element.parameter(.charset)?.offset ?? 0)
        }
    }
}
