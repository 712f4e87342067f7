extension BearerChallenge {
    init(_ element: FieldElement) {
        realm = element.value("realm")
        scope = element.value("scope")?.split(separator: " ").map(String.init) ?? []
        error = element.value("error")
        errorDescription = element.value("error_description")
        errorURI = element.value("error_uri")
        resourceMetadata = element.value("resource_metadata")
        acrValues = element.value("acr_values")
        maxAge = element.value("max_age")
        authorizationURI = element.value("authorization_uri")
        clientID = element.value("client_id")
        claims = element.value("claims")
    }
}
