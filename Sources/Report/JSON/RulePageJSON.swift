public import AuthScanDiagnosis

/// The pages of rules as a JSON array, for `authscan rules --format json`.
public func rulePagesJSON(_ pages: [RulePage]) -> [UInt8] {
    var writer = JSONWriter()
    writer.array(pages) { json, page in
        json.object { json in
            json.member("id", page.id)
            json.member("formerIDs", page.formerIDs)
            json.member("severity", page.severity.rawValue)
            json.member("step", page.step?.rawValue)
            json.member("title", page.title)
            json.member("what", page.what)
            json.member("why", page.why)
            json.key("fix")
            json.array(page.fix) { json, advice in
                json.object {
                    $0.member("side", advice.side.rawValue)
                    $0.member("text", advice.text)
                }
            }
            json.member("verify", page.verify)
            json.member("lookAlikes", page.lookAlikes)
            json.member("supersedes", page.supersedes)
            json.member("explains", page.explains)
            json.member("sources", page.sources)
            json.member("triggering", page.triggering)
            json.member("notTriggering", page.notTriggering)
        }
    }
    return writer.bytes + [0x0A]
}
