import AuthScanBytes
import AuthScanSchemes

extension FuzzTarget {
    /// Any pasted text gives items in the order of its lines, and each of them decodes with its problems inside it.
    public static let paste = FuzzTarget(name: "Paste") { input in
        let items = PasteReader.read(input)
        let lines = input.count { $0 == 0x0A } + 1
        precondition(items.map(\.line) == items.map(\.line).sorted(), "items out of order")
        precondition(items.allSatisfy { (1...lines).contains($0.line) }, "an item outside the text")
        for item in items {
            switch item.decoded {
            case .challenges(let challenges):
                check(challenges.flatMap(\.problems), input)
                for challenge in challenges { check(challenge.details()?.problems ?? [], input) }
            case .credentials(let credentials):
                check(credentials.problems, input)
                check(credentials.details()?.problems ?? [], input)
            case .sideField(let name, let value), .otherField(let name, let value):
                precondition(name.utf8.count + value.count <= input.count * 2, "a field longer than the text")
            case nil: precondition(!item.isDecodable, "a decodable item that does not decode")
            }
        }
        let messages = items.flatMap { $0.decoded?.ntlmMessages ?? [] }
        let handshakes = NTLMHandshake.handshakes(in: messages)
        precondition(handshakes.count <= messages.count, "more handshakes than messages")
        for handshake in handshakes { _ = (handshake.remarks, handshake.flagUses) }
    }

    private static func check(_ problems: [FieldProblem], _ input: [UInt8]) {
        // A token that was pasted in hexadecimal digits is decoded by way of base64, which is shorter; joined lines are
        // at most as long as the text.
        for problem in problems {
            precondition((0...(input.count + 8)).contains(problem.offset), "a problem lies outside the text")
        }
    }
}
