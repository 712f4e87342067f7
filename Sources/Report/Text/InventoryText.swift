import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What the capture holds: files, traffic, users, protection spaces.
struct InventoryText {
    /// How many files, users and protection spaces are named, each.
    static let limit = 20

    let style: Style

    func render(_ report: Report) -> String {
        let capture = report.capture
        var lines = listed(capture.files, file)
        if capture.files.count != 1 { lines.append(row("packets", "\(capture.packets)")) }
        if let selection = capture.selection { lines.append(row("analysed", words(selection))) }
        if let span = timeSpan(capture) { lines.append(row("time", span)) }
        lines.append(row("traffic", traffic(report)))
        if let lack = report.lack.words { lines.append(row("lacking", lack)) }
        if let processes = processes(report) { lines.append(row("processes", processes)) }
        if let tls = TLSText.summary(capture.tlsConnections) { lines.append(row("TLS", tls)) }
        if let quic = TLSText.summary(capture.quicConnections) { lines.append(row("QUIC", quic)) }
        lines += listed(TransportSecurityText.lines(report)) { row("ATS", $0) }
        if let tickets = KDCText.summary(report.sessions.kdcExchanges) { lines.append(row("Kerberos", tickets)) }
        if let users = users(report) { lines.append(row("users", users)) }
        // What Apple calls the schemes helps with a few spaces; with many it would hide them. Realms have their line above.
        let spaces = report.spaces.filter { $0.origin.scheme != Origin.kerberosScheme }
        lines += listed(spaces) { space($0, namesMethods: spaces.count <= 6) }
        return style.bold("Inventory") + "\n" + lines.joined(separator: "\n")
    }

    /// The path has its line to itself, whole, so that it can be copied.
    private func file(_ file: CaptureFileSummary) -> String {
        let format = file.format + (file.compression.map { ", \($0)" } ?? "")
        let size = "\(format), \(counted(file.packets, "packet")), \(counted(file.bytes, "byte"))"
        return "  \(style.dim("file"))      \(PrintableText.visible(file.path, limit: .max))\n            \(size)"
    }

    private func words(_ selection: SelectionSummary) -> String {
        let filter = selection.filter.map { "pass the filter \(PrintableText.visible($0, limit: .max))" }
        let time = selection.time.map { "lie in the time \(PrintableText.visible($0))" }
        let conditions = [time, filter].compactMap { $0 }.joined(separator: " and ")
        return "\(counted(selection.packets, "packet")), those that \(conditions)"
    }

    private func timeSpan(_ capture: WireCapture) -> String? {
        guard let first = capture.firstTime, let last = capture.lastTime else { return nil }
        let seconds = last.seconds(since: first)
        let tenths = Int((seconds * 10).rounded())
        let length = seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : "\(tenths / 10).\(tenths % 10) s"
        let start = first.rfc3339.prefix(19).replacing("T", with: " ")
        return "\(start) UTC, and \(length) on"
    }

    private func traffic(_ report: Report) -> String {
        let outcomes = AuthenticationExchange.Outcome.allCases.compactMap { outcome in
            report.sessions.census.outcomes[outcome].map { "\($0) \(outcome.rawValue)" }
        }
        let exchanges = counted(report.sessions.exchanges.count, "exchange")
        return counted(report.capture.connections.count, "connection") + ", "
            + counted(report.transactionCount, "transaction") + ", "
            + exchanges + (outcomes.isEmpty ? "" : " (\(outcomes.joined(separator: ", ")))")
    }

    /// The processes that connections belong to, with how many each has.
    private func processes(_ report: Report) -> String? {
        var counts: [UInt32: Int] = [:]
        for connection in report.capture.connections where connection.processNumber > 0 {
            counts[connection.processNumber, default: 0] += 1
        }
        guard !counts.isEmpty else { return nil }
        let numbers = counts.keys.sorted()
        let names = numbers.prefix(InventoryText.limit).compactMap { number in
            report.capture.process(number).map { "\($0.nameWithIDs): \(counted(counts[number] ?? 0, "connection"))" }
        }
        let rest = numbers.count - names.count
        return names.joined(separator: "; ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func users(_ report: Report) -> String? {
        let names = report.sessions.census.firstAccounts(InventoryText.limit).map { PrintableText.visible($0) }
        guard !names.isEmpty else { return nil }
        let rest = report.sessions.census.accountCount - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private func space(_ space: ProtectionSpace, namesMethods: Bool) -> String {
        let kind = space.isProxy ? "proxy" : "space"
        let realm = space.realm.map { ", realm \"\(PrintableText.visible($0))\"" } ?? ""
        let schemes = space.schemes.map { PrintableText.visible($0.rawValue) }.joined(separator: ", ")
        let offer = schemes.isEmpty ? "" : ": \(schemes)"
        let line = row(kind, "\(PrintableText.visible(space.origin.description))\(realm)\(offer)")
        guard namesMethods, !space.appleMethods.isEmpty else { return line }
        return line + "\n"
            + PrintableText.wrap(space.appleMethods.joined(separator: ", "), first: "            ", indent: 12)
    }

    /// The lines of the first few elements, and how many there are besides.
    private func listed<Element>(_ elements: [Element], _ line: (Element) -> String) -> [String] {
        let rest = elements.count - InventoryText.limit
        return elements.prefix(InventoryText.limit).map(line) + (rest > 0 ? ["    … and \(rest) more"] : [])
    }

    private func row(_ label: String, _ text: String) -> String {
        let padding = String(repeating: " ", count: max(1, 10 - label.utf8.count))
        return PrintableText.wrap(text, first: "  \(style.dim(label))\(padding)", indent: 12)
    }
}

/// What could not be assessed, gathered by reason.
struct NotAssessedText {
    let style: Style

    func render(_ report: Report) -> String {
        var order: [String] = []
        var groups: [String: [Unassessed]] = [:]
        for entry in report.notAssessed {
            if groups[entry.reason] == nil { order.append(entry.reason) }
            groups[entry.reason, default: []].append(entry)
        }
        let lines = order.map { reason in line(reason, groups[reason] ?? []) }
        guard !lines.isEmpty else { return "" }
        return style.bold("Not assessed") + "\n" + lines.joined(separator: "\n")
    }

    private func line(_ reason: String, _ entries: [Unassessed]) -> String {
        let connections = Set(entries.flatMap(\.connections)).sorted()
        let rules = entries.map(\.rule).filter { $0 != "*" }
        var text = PrintableText.visible(reason)
        if !connections.isEmpty {
            let numbers = connections.prefix(12).map { "\($0)" }.joined(separator: ", ")
            let more = connections.count > 12 ? ", … \(connections.count) in all" : ""
            text += " (connection\(connections.count == 1 ? "" : "s") \(numbers)\(more))"
        }
        if !rules.isEmpty { text += ": \(rules.joined(separator: ", "))" }
        return PrintableText.wrap(text, first: "  ", indent: 4)
    }
}

/// What was damaged in the capture, and which limits it met.
struct DamageText {
    let style: Style

    func render(_ report: Report) -> String {
        let problems = report.capture.problems.map { problem in
            let name = problem.file.split(separator: "/").last.map(String.init) ?? problem.file
            return "\(name): \(problem.message)"
        }
        let limits = report.limitsExceeded.map {
            "the limit of \($0.value) \($0.limit) was met \(counted($0.leftOut, "time")); what goes beyond is left out"
        }
        let lines = (problems.prefix(InventoryText.limit) + limits).map {
            PrintableText.wrap(PrintableText.visible($0), first: "  ", indent: 4)
        }
        let rest = problems.count - InventoryText.limit
        let more = rest > 0 ? ["  … and \(rest) more"] : []
        return lines.isEmpty ? "" : style.bold("Damage and limits") + "\n" + (lines + more).joined(separator: "\n")
    }
}
