import AuthScanCaptureIO
import AuthScanReport
import AuthScanWire

/// The options that say which packets are analysed.
struct SelectionOptions: Equatable {
    /// An expression of tcpdump's filter language.
    var expression: String?
    /// The range of time.
    var times: TimeRange?

    static let names = ["--filter", "--time"]

    /// Takes an option, if it is one of these.
    mutating func take(
        _ name: String,
        _ value: String?,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        switch name {
        case "--filter": expression = try reader.value(of: name, value)
        case "--time":
            let text = try reader.value(of: name, value)
            do throws(TimeRangeError) {
                times = try TimeRange(parsing: text)
            } catch {
                throw UsageError("--time: \(PrintableText.visible(error.message))")
            }
        default: return false
        }
        return true
    }

    /// The filter, compiled; `nil` where none was asked for.
    func filter() throws(UsageError) -> CaptureFilter? {
        guard let expression else { return nil }
        do throws(FilterError) {
            return try CaptureFilter(expression)
        } catch {
            throw UsageError("--filter '\(PrintableText.visible(expression))': \(error.message)")
        }
    }

    /// What is analysed; `nil` for everything.
    func selection(_ filter: CaptureFilter?) -> PacketSelection? {
        filter == nil && times == nil ? nil : PacketSelection(filter: filter, times: times)
    }
}
