// SPDX-License-Identifier: MIT
// "Observing a KVO compatible model in SwiftUI and MVVM".

import ObserveCore
import Testing

@Suite struct PackageViewModelTests {
    private struct PostalAddress: Equatable {
        var street = ""
        var city = ""
    }

    private final class Recipient: ObservableModel {
        let observationStore = ObservationStore()
        @Published var firstName = ""
        @Published var lastName = ""
        @Published var postalAddress = PostalAddress()
    }

    private final class PackageContent {
        let title: String
        let weight: Int

        init(title: String, weight: Int) {
            self.title = title
            self.weight = weight
        }
    }

    private final class Package: ObservableModel {
        let observationStore = ObservationStore()
        @Published var recipient = Recipient()
        @Published var contents: [PackageContent] = []

        static func makeExample() -> Package {
            let package = Package()
            package.recipient.firstName = "Toomas"
            package.recipient.lastName = "Vahter"
            package.recipient.postalAddress = PostalAddress(street: "37 Christie St", city: "Toronto")
            return package
        }
    }

    private final class ViewModel: ObservableModel {
        let observationStore = ObservationStore()
        private let package: Package
        private var tokens: [ObservationToken] = []

        init(package: Package) {
            self.package = package
            // Model -> View Model
            package.bind(\.recipient.firstName, to: self, at: \.recipientFirstName).store(in: &tokens)
            package.bind(\.recipient.lastName, to: self, at: \.recipientLastName).store(in: &tokens)
            // View Model -> Model
            $recipientFirstName.dropFirst().removeDuplicates()
                .assign(to: \.firstName, on: package.recipient).store(in: &tokens)
            $recipientLastName.dropFirst().removeDuplicates()
                .assign(to: \.lastName, on: package.recipient).store(in: &tokens)
        }

        @Published var recipientFirstName = ""
        @Published var recipientLastName = ""

        // A property with a getter and a setter does the work of the article's `Binding`.
        var street: String {
            get { package.recipient.postalAddress.street }
            set { package.recipient.postalAddress.street = newValue }
        }

        var summary: String {
            let contents = package.contents.map { "\($0.title) \($0.weight)" }.joined(separator: ", ")
            return """
                Recipient: \(package.recipient.firstName) \(package.recipient.lastName)
                Postal address: \(street), \(package.recipient.postalAddress.city)
                Contents: \(contents)
                """
        }

        func add(_ title: String, weight: Int) {
            package.contents.append(PackageContent(title: title, weight: weight))
        }
    }

    private let heard = Heard()

    @Test func `model and view model copy each other's changes`() {
        let package = Package.makeExample()
        let viewModel = ViewModel(package: package)
        #expect((viewModel.recipientFirstName, viewModel.recipientLastName) == ("Toomas", "Vahter"))
        package.recipient.firstName = "Tom"
        #expect(viewModel.recipientFirstName == "Tom")
        viewModel.recipientLastName = "Smith"
        #expect(package.recipient.lastName == "Smith")
        viewModel.street = "1 Main St"
        #expect(package.recipient.postalAddress == PostalAddress(street: "1 Main St", city: "Toronto"))
    }

    @Test func `a summary depends on all it reads, and notifies once for each change`() {
        let package = Package.makeExample()
        let viewModel = ViewModel(package: package)
        let token = viewModel.observe({ $0.summary.split(separator: "\n").joined(separator: " | ") }) {
            heard($0)
        }
        viewModel.recipientFirstName = "Tom"
        package.recipient.lastName = "Smith"
        viewModel.street = "1 Main St"
        viewModel.add("Light bulb", weight: 250)
        viewModel.add("Lamp", weight: 300)
        let other = Recipient()
        other.firstName = "Ada"
        package.recipient = other
        #expect(
            heard.popAll() == [
                "Recipient: Toomas Vahter | Postal address: 37 Christie St, Toronto | Contents: ",
                "Recipient: Tom Vahter | Postal address: 37 Christie St, Toronto | Contents: ",
                "Recipient: Tom Smith | Postal address: 37 Christie St, Toronto | Contents: ",
                "Recipient: Tom Smith | Postal address: 1 Main St, Toronto | Contents: ",
                "Recipient: Tom Smith | Postal address: 1 Main St, Toronto | Contents: Light bulb 250",
                "Recipient: Tom Smith | Postal address: 1 Main St, Toronto | Contents: Light bulb 250, Lamp 300",
                "Recipient: Ada  | Postal address: ,  | Contents: Light bulb 250, Lamp 300",
            ]
        )
        withExtendedLifetime(token) {}
    }

    @Test func `a view model is released with its view`() {
        let package = Package.makeExample()
        weak var viewModel: ViewModel?
        do {
            let strong = ViewModel(package: package)
            viewModel = strong
        }
        #expect(viewModel == nil)
        package.recipient.firstName = "Tom"
    }

    @Test func `array changes have a kind and indexes`() {
        final class Numbers: ObservableModel {
            let observationStore = ObservationStore()
            @Published var list = [1, 2, 3]
            @Published var contents: [PackageContent] = []
        }
        let numbers = Numbers()
        let token = numbers.observe(\.list, options: [.new, .old]) { change in
            heard("\(change.kind) \(change.indexes.map { "\($0)" } ?? "-") \(change.new ?? [])")
        }
        numbers.list.append(4)
        numbers.list.insert(contentsOf: [8, 9], at: 1)
        numbers.list.remove(at: 0)
        numbers.list[2] = 7
        numbers.list.removeAll()
        numbers.list = []
        numbers.list = [1, 2, 3, 4]
        numbers.list = [4, 1]
        #expect(
            heard.popAll() == [
                "insertion 3..<4 [1, 2, 3, 4]", "insertion 1..<3 [1, 8, 9, 2, 3, 4]",
                "removal 0..<1 [8, 9, 2, 3, 4]",
                "replacement 2..<3 [8, 9, 7, 3, 4]", "removal 0..<5 []", "setting - []",
                "insertion 0..<4 [1, 2, 3, 4]", "setting - [4, 1]",
            ]
        )
        let bulb = PackageContent(title: "Light bulb", weight: 250)
        let contents = numbers.observe(\.contents, options: [.new, .old]) { change in
            heard("\(change.kind) \(change.indexes.map { "\($0)" } ?? "-")")
        }
        numbers.contents = [bulb, PackageContent(title: "Lamp", weight: 300)]
        numbers.contents.insert(PackageContent(title: "Light bulb", weight: 250), at: 1)
        numbers.contents.removeFirst()
        #expect(heard.popAll() == ["insertion 0..<2", "insertion 1..<2", "removal 0..<1"])
        withExtendedLifetime((token, contents)) {}
    }

    @Test func `operators transform and filter values`() {
        final class Numbers: ObservableModel {
            let observationStore = ObservationStore()
            @Published var number = 1
            var text: String?
        }
        let numbers = Numbers()
        let publisher = numbers.$number.map { $0 % 10 }
        var tokens: [ObservationToken] = []
        publisher.removeDuplicates().observe { heard("distinct", $0) }.store(in: &tokens)
        publisher.filter { $0 > 2 }.dropFirst(1).observe { heard("filtered", $0) }.store(in: &tokens)
        publisher.compactMap { $0 == 3 ? nil : "<\($0)>" }.observe { heard("compact", $0) }.store(in: &tokens)
        publisher.map { "\($0)" }.assign(to: \.text, on: numbers).store(in: &tokens)
        for number in [2, 12, 3, 13, 4] { numbers.number = number }
        #expect(
            heard.popAll() == [
                "distinct: 1", "compact: <1>", "distinct: 2", "compact: <2>", "compact: <2>", "distinct: 3",
                "filtered: 3", "distinct: 4", "filtered: 4", "compact: <4>",
            ]
        )
        #expect(numbers.text == "4")
    }
}
