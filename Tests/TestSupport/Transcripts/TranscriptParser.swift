/// Reads the lines of a transcript and checks that they make a possible conversation.
struct TranscriptParser {
    /// What the parser knows of a connection in order to refuse what cannot happen on it.
    private struct ConnectionState {
        var ended: Set<Transcript.Side> = []
        var lost: Set<Transcript.Side> = []
        var openRequests: [String] = []
        /// In HTTP/2: the scheme, the streams without a response, the next stream, and who has sent its preface.
        var http2Scheme: String?
        var openStreams: [UInt32] = []
        var nextStream: UInt32 = 1
        var hasBegun: Set<Transcript.Side> = []
        /// Whether its messages are in TLS 1.2.
        var isTLS12 = false
    }

    private(set) var steps: [TranscriptStep] = []
    private var connections: [ConnectionState] = []
    private var current = 0
    private var draft: MessageDraft?
    var tokens = TokenEncoder()
    private(set) var line = 0
    private(set) var passwords: [Transcript.Password] = []
    /// The client that asked a key distribution center last.
    var kdcClient: HostEndpoint?
    var kdcRequests: UInt16 = 0
    private var hasEnded = false

    /// The steps of a transcript.
    mutating func parse(_ text: String) throws(TranscriptError) -> [TranscriptStep] {
        for text in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line += 1
            let trimmed = text.trimmed
            guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
            if text.first == " " || text.first == "\t" {
                try readMessageLine(trimmed)
            } else {
                finishMessage()
                guard !hasEnded else { throw error("nothing follows 'end wait'") }
                try readStep(trimmed)
            }
        }
        finishMessage()
        guard !steps.isEmpty else { throw error("the transcript is empty") }
        if let index = connections.firstIndex(where: { !$0.lost.isEmpty }) {
            throw error("no message follows 'lost' on connection \(index + 1)")
        }
        return steps
    }

    mutating func append(_ step: TranscriptStep) { steps.append(step) }

    func error(_ reason: String) -> TranscriptError { TranscriptError(line: line, reason: reason) }

    private mutating func finishMessage() {
        guard let message = draft?.message else { return }
        steps.append(.message(message))
        draft = nil
    }
}

// MARK: - Steps

extension TranscriptParser {
    private mutating func readStep(_ text: Substring) throws(TranscriptError) {
        if text.hasPrefix(">") || text.hasPrefix("<") { return try readMessage(text) }
        if text.hasPrefix("kdc ") { return try readDatagram(text.dropFirst(4)) }
        let isMarked = text.hasPrefix("↓")
        let words = text.drop { $0 == "↓" }.split(separator: " ").map { String($0) }
        switch words.first {
        case "connection": try readConnection(words, isMarked: isMarked)
        case "closed": try readEnd(words.dropFirst(), .close, isMarked: isMarked)
        case "half":
            try readEnd(
                words.dropFirst(2),
                .halfClose,
                isMarked: isMarked,
                isWellFormed: words.dropFirst().first == "closed"
            )
        case "reset": try readEnd(words.dropFirst(), .reset, isMarked: isMarked)
        case _ where isMarked:
            throw error("'↓' stands before a message, 'connection', 'closed', 'half closed' or 'reset'")
        case "wait": steps.append(.wait(try duration(words.dropFirst())))
        case "end":
            guard words.dropFirst().first == "wait" else { throw error("expected 'end wait' and a time") }
            steps.append(.endWait(try duration(words.dropFirst(2))))
            hasEnded = true
        case "lost": try readLost(words)
        case "handshake":
            try requireOpen(.client)
            guard words.count == 1, connections[current - 1].isTLS12 else {
                throw error("'handshake' stands alone, on a connection over tls")
            }
            steps.append(.handshake(connection: current))
        case "password":
            guard words.count == 4, words[1] == "of" else { throw error("expected 'password of', a user, a password") }
            passwords.append(Transcript.Password(user: words[2], text: words[3]))
        default: throw error("'\(words.first ?? "")' is no step")
        }
    }

    private func duration(_ words: ArraySlice<String>) throws(TranscriptError) -> Int64 {
        let units: [String: Int64] = ["ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000]
        guard words.count == 2, let number = words.first.flatMap({ Int64($0) }), (0...1_000_000).contains(number),
            let unit = words.last.flatMap({ units[$0] })
        else { throw error("a time is a whole number and ms, s, min or h") }
        return number * unit * 1_000_000
    }

    private mutating func readConnection(_ words: [String], isMarked: Bool) throws(TranscriptError) {
        guard words.count >= 2, let number = Int(words[1]), (1...connections.count + 1).contains(number) else {
            throw error("expected 'connection' and a number from 1 to \(connections.count + 1)")
        }
        current = number
        guard number > connections.count else {
            guard words.count == 2, !isMarked else { throw error("connection \(number) is open already") }
            return
        }
        var opening = TranscriptOpening(
            number: number,
            client: HostEndpoint(HostAddress(192, 0, 2, 10), port: UInt16(50100 + number)),
            server: HostEndpoint(HostAddress(198, 51, 100, 20), port: 80)
        )
        opening.isMarked = isMarked
        try read(words.dropFirst(2), into: &opening)
        if isMarked, opening.handshake == .beforeCapture || opening.onlySide == .server {
            throw error("there is no SYN to mark")
        }
        var state = ConnectionState()
        state.isTLS12 = opening.isTLS && !opening.tls.isTLS13
        if opening.isHTTP2 { state.http2Scheme = opening.isTLS ? "https" : "http" }
        if opening.handshake == .refused || opening.handshake == .unanswered { state.ended = [.client, .server] }
        connections.append(state)
        steps.append(.open(opening))
    }

    private func read(_ options: ArraySlice<String>, into opening: inout TranscriptOpening) throws(TranscriptError) {
        var options = options
        while let option = options.popFirst() {
            switch option {
            case "from": opening.client = try endpoint(options.popFirst(), portUnlessGiven: opening.client.port)
            case "to": opening.server = try endpoint(options.popFirst(), portUnlessGiven: 80)
            case "without":
                guard options.popFirst() == "start" else { throw error("expected 'without start'") }
                opening.handshake = .beforeCapture
            case "refused": opening.handshake = .refused
            case "unanswered": opening.handshake = .unanswered
            case "by":
                opening.process = TranscriptProcess(own: try process(options.popFirst()))
                guard options.first == "for" else { break }
                options.removeFirst()
                opening.process?.effective = try process(options.popFirst())
            case "over":
                switch options.popFirst() {
                case "raw": opening.isRaw = true
                case "tls": opening.isTLS = true
                case "tls1.3":
                    opening.isTLS = true
                    opening.tls.isTLS13 = true
                case "http2": opening.isHTTP2 = true
                default: throw error("expected 'over raw', 'over tls', 'over tls1.3' or 'over http2'")
                }
            case "with":
                switch (options.popFirst(), options.popFirst()) {
                case ("client", "certificate"): opening.tls.hasClientCertificate = true
                case ("post-handshake", "authentication"): opening.tls.offersPostHandshakeAuthentication = true
                default: throw error("expected 'with client certificate' or 'with post-handshake authentication'")
                }
            case "only": opening.onlySide = try side(options.popFirst())
            default: throw error("a connection has no option '\(option)'")
            }
        }
    }

    private func process(_ text: String?) throws(TranscriptError) -> TranscriptProcess.Identity {
        let parts = (text ?? "").split(separator: "/")
        guard parts.count == 2, let id = Int32(parts[1]), id > 0 else {
            throw error("expected a process as name/number")
        }
        return TranscriptProcess.Identity(name: String(parts[0]), id: id)
    }

    func endpoint(_ text: String?, portUnlessGiven port: UInt16) throws(TranscriptError) -> HostEndpoint {
        let parts = (text ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ HostAddress($0) }),
            let port = parts.count == 1 ? port : UInt16(parts[1])
        else { throw error("expected an IPv4 address, and a port if need be: 192.0.2.10:80") }
        return HostEndpoint(address, port: port)
    }

    private func side(_ word: String?) throws(TranscriptError) -> Transcript.Side {
        switch word {
        case "client": return .client
        case "server": return .server
        default: throw error("expected 'client' or 'server'")
        }
    }

    private mutating func readEnd(
        _ words: ArraySlice<String>,
        _ closing: TranscriptClosing,
        isMarked: Bool,
        isWellFormed: Bool = true
    ) throws(TranscriptError) {
        guard isWellFormed, words.count == 2, words.first == "by" else {
            throw error("expected 'by client' or 'by server'")
        }
        let side = try side(words.last)
        // A side that has sent its FIN can still send a RST, and does when it is sent more.
        try requireOpen(
            closing == .reset && current > 0 && connections[current - 1].ended.contains(side) ? side.other : side
        )
        connections[current - 1].ended.formUnion(closing == .halfClose ? [side] : [.client, .server])
        steps.append(.end(connection: current, closing, by: side, isMarked: isMarked))
    }

    private mutating func readLost(_ words: [String]) throws(TranscriptError) {
        guard words.count == 2, [">", "<"].contains(words[1]) else { throw error("expected 'lost >' or 'lost <'") }
        let side: Transcript.Side = words[1] == ">" ? .client : .server
        try requireOpen(side)
        connections[current - 1].lost.insert(side)
    }

    private func requireOpen(_ side: Transcript.Side) throws(TranscriptError) {
        guard current > 0 else { throw error("a conversation starts with 'connection 1'") }
        guard !connections[current - 1].ended.contains(side) else {
            throw error("connection \(current) is closed on the side of the \(side)")
        }
    }
}

// MARK: - Messages

extension TranscriptParser {
    private mutating func readMessage(_ text: Substring) throws(TranscriptError) {
        let side: Transcript.Side = text.hasPrefix(">") ? .client : .server
        try requireOpen(side)
        let marked = text.dropFirst().trimmed
        let words = marked.drop { $0 == "↓" }.trimmed
        let isLost = connections[current - 1].lost.remove(side) != nil
        guard !isLost || !marked.hasPrefix("↓") else { throw error("a lost message has no packet to mark") }

        let content = try self.content(words, from: side)
        var method: String?
        switch content {
        case .request(let requestMethod, _, _): connections[current - 1].openRequests.append(requestMethod)
        case .response(let status, _, _):
            method = connections[current - 1].openRequests.first
            if method != nil, !status.hasPrefix("1") || status == "101" {
                connections[current - 1].openRequests.removeFirst()
            }
        case .bytes, .record: break
        }
        draft = MessageDraft(
            content,
            line: line,
            connection: current,
            side: side,
            isMarked: marked.hasPrefix("↓"),
            isLost: isLost,
            requestMethod: method
        )
        let framing = framing(of: content, from: side)
        draft?.framing = framing
        tokens.position += 1
    }

    /// The stream of a message: a new one for a request, the oldest without a response for a response.
    private mutating func framing(of content: MessageDraft.Content, from side: Transcript.Side) -> HTTP2Framing? {
        guard let scheme = connections[current - 1].http2Scheme else { return nil }
        var stream: UInt32 = 1
        switch content {
        case .bytes, .record: return nil
        case .request:
            stream = connections[current - 1].nextStream
            connections[current - 1].nextStream += 2
            connections[current - 1].openStreams.append(stream)
        case .response:
            if !connections[current - 1].openStreams.isEmpty {
                stream = connections[current - 1].openStreams.removeFirst()
            }
        }
        let isFirst = connections[current - 1].hasBegun.insert(side).inserted
        return HTTP2Framing(stream: stream, isFirst: isFirst, scheme: scheme)
    }

    private mutating func content(
        _ text: Substring,
        from side: Transcript.Side
    ) throws(TranscriptError) -> MessageDraft.Content {
        let words = text.split(separator: " ", maxSplits: 2).map { String($0) }
        switch words.first {
        case "raw":
            guard words.count == 2, let bytes = decodeHex(words[1]), !bytes.isEmpty else {
                throw error("'raw' needs bytes in hexadecimal")
            }
            return .bytes(bytes)
        case "body":
            let body = try body(text.dropFirst(4).trimmed)
            guard !body.bytes.isEmpty, !body.endsWithConnection else { throw error("there are no bytes to send") }
            return .bytes(body.bytes)
        case "tls": return try record(words.dropFirst())
        case nil: throw error("there is no message")
        default: break
        }
        if side == .client {
            guard words.count >= 2 else { throw error("a request is a method and a target") }
            return .request(method: words[0], target: words[1], version: words.count > 2 ? words[2] : "HTTP/1.1")
        }
        let hasVersion = words[0].hasPrefix("HTTP/")
        let rest = words.dropFirst(hasVersion ? 1 : 0).joined(separator: " ").split(separator: " ", maxSplits: 1)
        guard let status = rest.first, status.count == 3, Int(status) != nil else {
            throw error("a response is a status code of three digits")
        }
        let reason = rest.count > 1 ? String(rest[1]) : reasonPhrase(of: String(status))
        return .response(status: String(status), version: hasVersion ? words[0] : "HTTP/1.1", reason: reason)
    }

    private func record(_ words: ArraySlice<String>) throws(TranscriptError) -> MessageDraft.Content {
        guard connections[current - 1].isTLS12 else { throw error("only a connection over tls has records") }
        switch Array(words) {
        case ["HelloRequest"]: return .record(type: PlainTLS.ContentType.handshake, [0, 0, 0, 0])
        case ["no_renegotiation"]: return .record(type: PlainTLS.ContentType.alert, [1, 100])
        default: throw error("expected 'tls HelloRequest' or 'tls no_renegotiation'")
        }
    }

    private mutating func readMessageLine(_ text: Substring) throws(TranscriptError) {
        guard draft != nil else { throw error("an indented line belongs to a message, and there is none above it") }
        if draft?.isBare == true { throw error("plain bytes have neither fields nor a body") }
        if text.hasPrefix("-") {
            draft?.remove(String(text.dropFirst()))
        } else if text.hasPrefix("body {"), text.hasSuffix("}") {
            let token = try TokenExpression(text.dropFirst(6).dropLast(), line: line)
            draft?.body = MessageDraft.Body(bytes: try tokens.bytes(of: token))
        } else if text == "body" || text.hasPrefix("body ") {
            let body = try body(text.dropFirst(4).trimmed)
            draft?.body = body
        } else {
            guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
                throw error("expected 'Name: value', '-Name' or 'body'")
            }
            let value = try expandTokens(in: text[text.index(after: colon)...].trimmed)
            draft?.add(String(text[..<colon]), value)
        }
    }

    /// `120`, `120 until close`, `"text"`.
    private func body(_ text: Substring) throws(TranscriptError) -> MessageDraft.Body {
        let untilClose = text.hasSuffix(" until close")
        let size = untilClose ? text.dropLast(" until close".count).trimmed : text
        if size.count >= 2, size.hasPrefix("\""), size.hasSuffix("\"") {
            return MessageDraft.Body(bytes: Array(size.dropFirst().dropLast().utf8), endsWithConnection: untilClose)
        }
        guard let count = Int(size), (0...1_000_000).contains(count) else {
            throw error("a body is a number of bytes, or a text in quotes")
        }
        let bytes = (0..<count).map { $0 % 64 == 63 ? UInt8(ascii: "\n") : UInt8(ascii: "a") + UInt8($0 % 26) }
        return MessageDraft.Body(bytes: bytes, endsWithConnection: untilClose)
    }

    private mutating func expandTokens(in text: Substring) throws(TranscriptError) -> String {
        var expanded = ""
        var rest = text
        while let open = rest.firstIndex(of: "{") {
            expanded += rest[..<open]
            guard let close = closingBrace(in: rest[open...]) else { throw error("a brace is not closed") }
            expanded += try tokens.text(of: TokenExpression(rest[rest.index(after: open)..<close], line: line))
            rest = rest[rest.index(after: close)...]
        }
        return expanded + rest
    }

    private func closingBrace(in text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let length = start.reversed().drop { $0 == " " || $0 == "\t" }.count
        return start.prefix(length)
    }
}
