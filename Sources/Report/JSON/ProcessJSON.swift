import AuthScanWire

extension JSONWriter {
    /// A member that names a process, and the one on whose behalf it acts.
    mutating func member(_ name: String, _ information: ProcessInformation?) {
        key(name)
        guard let information else { return null() }
        object { json in
            json.write(information.process)
            json.key("effective")
            guard let effective = information.effective else { return json.null() }
            json.object { $0.write(effective) }
        }
    }

    private mutating func write(_ process: ProcessInformation.Process) {
        member("name", process.name)
        member("pid", process.id)
    }
}
