extension KeyLog {
    /// What is wrong with the log itself, or with its choice; each in one sentence.
    ///
    /// `handshakes` says how many the capture holds with both hellos, `knownHandshakes` of how many of them the log has secrets, and
    /// `wrongHandshakes` for how many those open nothing.
    func problems(path: String, handshakes: Int, knownHandshakes: Int, wrongHandshakes: Int) -> [CaptureProblem] {
        func problem(_ kind: CaptureProblem.Kind, _ message: String) -> CaptureProblem {
            CaptureProblem(kind: kind, file: path, packet: nil, offset: nil, message: message)
        }
        if isEmpty {
            let reason =
                foreignLines > 0 ? "none of its \(foreignLines) lines is in the NSS key log format" : "it is empty"
            return [problem(.unusableKeyLog, "no secrets can be read from the key log: \(reason)")]
        }
        var problems: [CaptureProblem] = []
        if endsInsideLine {
            problems.append(problem(.damagedKeyLog, "the key log ends in the middle of a line: secrets may be missing"))
        }
        let foreign = foreignLines - (endsInsideLine ? 1 : 0)
        if foreign > 0 {
            let lines =
                foreign == 1
                ? "line \(firstForeignLine) is" : "\(foreign) lines, the first line \(firstForeignLine), are"
            problems.append(problem(.damagedKeyLog, "\(lines) not in the NSS key log format and passed over"))
        }
        if secretsLeftOut > 0 {
            problems.append(problem(.limitReached, "\(secretsLeftOut) secrets of the key log are beyond the limit"))
        }
        if handshakes > 0, knownHandshakes == 0 {
            problems.append(
                problem(
                    .foreignKeyLog,
                    "the key log is of other connections: it has secrets of \(sessions) sessions, and of none of the "
                        + "capture's \(handshakes) TLS handshakes"
                )
            )
        }
        if wrongHandshakes > 0 {
            let known = knownHandshakes == 1 ? "1 handshake" : "\(wrongHandshakes) of \(knownHandshakes) handshakes"
            problems.append(problem(.wrongSecrets, "the secrets of \(known) in the key log do not fit: nothing opens"))
        }
        return problems
    }
}
