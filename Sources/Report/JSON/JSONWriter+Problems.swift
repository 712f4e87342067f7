import AuthScanBytes
import AuthScanSchemes

extension JSONWriter {
    /// A member with what is malformed in a field value.
    mutating func member(_ name: String, _ problems: [FieldProblem]) {
        key(name)
        array(problems) { json, problem in
            json.object {
                $0.member("kind", problem.kind.rawValue)
                $0.member("message", problem.message)
                $0.member("offset", problem.offset)
            }
        }
    }

    /// A member with what is malformed in a message's bytes.
    mutating func member(_ name: String, _ errors: [DecodeError]) {
        key(name)
        array(errors) { json, error in
            json.object {
                $0.member("message", error.description)
                $0.member("offset", error.offset)
            }
        }
    }
}
