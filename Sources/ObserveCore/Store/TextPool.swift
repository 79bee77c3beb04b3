// SPDX-License-Identifier: MIT
// Memory for many short texts: blocks without headers, side by side. Independent of the texts' meaning.

/// A text in a ``TextPool``. As small as a reference, but without a reference count.
/// - Lifetime: until its owner calls ``TextPool/release(_:)``. Other code borrows it.
@safe struct PooledText {
    /// The address in the lower 48 bits, which suffice, and the count of bytes in the higher 16 bits.
    fileprivate let bits: UInt64

    /// No text, which differs from an empty one.
    static var none: PooledText { PooledText(bits: 0) }

    @inline(__always) var isNone: Bool { bits == 0 }

    @inline(__always) var view: ByteView {
        let base = unsafe address.assumingMemoryBound(to: UInt8.self)
        return unsafe ByteView(base: base, count: count)
    }

    @inline(__always) var count: Int {
        let short = shortCount
        return short < PooledText.farMark ? short : unsafe TextPool.farCount(address)
    }

    /// About how many bytes of memory the text takes.
    @inline(__always) var blockBytes: Int {
        shortCount <= TextPool.longest ? max(8, (shortCount &+ 7) & ~7) : farBlockBytes
    }

    @inline(never) private var farBlockBytes: Int { 48 &+ (count &+ 15) & ~15 }

    /// The byte count of a text without a block of its own.
    @inline(__always) fileprivate var shortCount: Int { Int(truncatingIfNeeded: bits &>> 48) }

    @inline(__always) fileprivate var address: UnsafeMutableRawPointer {
        assert(!isNone)
        let bits = UInt(truncatingIfNeeded: bits & (1 &<< 48 &- 1))
        return unsafe UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
    }

    /// Stands for the count of a text with a block of its own.
    fileprivate static var farMark: Int { 0xFFFF }

    var word: UInt64 { bits }

    @unsafe init(word: UInt64) { bits = word }

    fileprivate init(bits: UInt64) { self.bits = bits }

    @inline(__always) fileprivate init(at address: UnsafeMutableRawPointer, count: Int) {
        bits = UInt64(UInt(bitPattern: address)) | UInt64(truncatingIfNeeded: count) &<< 48
    }
}

/// Texts of up to ``longest`` bytes in pages of equal blocks, with sizes in steps of eight bytes. For a text of 32 bytes,
/// `malloc` and an object's header would add 32 bytes more. Each longer text has a block from `malloc`.
///
/// A page without texts is free for blocks of any size; the system gets pages back only with the pool.
///
/// - Cost: O(1) to make and to release, and one copy of the bytes. The pool first reuses the last released
///   block. So while texts of one size replace each other, it reads no page header.
@safe struct TextPool: ~Copyable {
    static var longest: Int { 256 }
    static var pageSize: Int { 4096 }
    private static var step: Int { 8 }
    private static var mostPages: Int { 64 }

    /// The header of a page, or of a long text's block. The page's blocks follow, or the text.
    @safe private struct Page {
        /// Neighbours in the list of this size's pages with space, or of long texts; in the list of free pages, the next one.
        var next: UnsafeMutablePointer<Page>?
        var previous: UnsafeMutablePointer<Page>?
        /// How many living texts a page has, or how many bytes a long text.
        var count = 0
        /// The offset of the first released block, 0 if there is none. Each released block begins with the offset of the next.
        var released: UInt16 = 0
        /// The offset of the first unused block; the end of the page if there is none.
        var fresh: UInt16 = 0
        var blockSize: UInt16 = 0
    }

    private static var headerSize: Int { MemoryLayout<Page>.stride }

    /// For each block size, the first page with space; for no block size, the first long text.
    private let roomy: UnsafeMutablePointer<UnsafeMutablePointer<Page>?>
    private var freePages: UnsafeMutablePointer<Page>?
    private var regions: [UInt] = []
    private var end: UnsafeMutableRawPointer?
    private(set) var pageCount = 0
    /// How many pages at the end of the last region were never used, and so have no memory yet.
    private var untouched = 0
    private var spare = PooledText.none
    private(set) var count = 0

    init() {
        let sizes = TextPool.longest / TextPool.step + 1
        unsafe roomy = .allocate(capacity: sizes)
        unsafe roomy.initialize(repeating: nil, count: sizes)
    }

    deinit {
        var far = unsafe roomy[0]
        while let last = unsafe far {
            unsafe far = last.pointee.next
            unsafe UnsafeMutableRawPointer(last).deallocate()
        }
        for region in regions { unsafe UnsafeMutableRawPointer(bitPattern: region)?.deallocate() }
        unsafe roomy.deallocate()
    }

    @inline(__always) mutating func make(_ text: ByteView) -> PooledText {
        count &+= 1
        if !spare.isNone, TextPool.steps(spare.shortCount) == TextPool.steps(text.count) {
            let made = unsafe PooledText(at: spare.address, count: text.count)
            spare = .none
            unsafe made.address.copyMemory(from: text.base, byteCount: text.count)
            return made
        }
        return makeAnew(text)
    }

    @inline(__always) mutating func release(_ text: PooledText) {
        count &-= 1
        guard text.shortCount <= TextPool.longest else { return giveBackFar(text) }
        // Makes a use after release visible.
        assert({ TextPool.deface(text) }())
        let last = spare
        spare = text
        if !last.isNone { giveBack(last) }
    }

    // MARK: Blocks

    @inline(__always) private static func steps(_ count: Int) -> Int { (count &+ (step &- 1)) / step }

    /// An empty text has a block too, so that it has an address.
    private static func size(_ count: Int) -> Int { max(1, steps(count)) }

    private static func deface(_ text: PooledText) -> Bool {
        unsafe text.address.initializeMemory(as: UInt8.self, repeating: 0xFF, count: text.count)
        return true
    }

    @inline(never) private mutating func makeAnew(_ text: ByteView) -> PooledText {
        let size = TextPool.size(text.count)
        guard size * TextPool.step <= TextPool.longest else { return makeFar(text) }
        let page = unsafe roomy[size] ?? openPage(size)
        let offset: UInt16
        if unsafe page.pointee.released != 0 {
            unsafe offset = page.pointee.released
            unsafe page.pointee.released = (UnsafeMutableRawPointer(page) + Int(offset)).load(as: UInt16.self)
        } else {
            unsafe offset = page.pointee.fresh
            unsafe page.pointee.fresh += page.pointee.blockSize
        }
        unsafe page.pointee.count += 1
        if unsafe !TextPool.hasRoom(page) { unsafe unlink(page, size) }
        let block = unsafe UnsafeMutableRawPointer(page) + Int(offset)
        unsafe block.copyMemory(from: text.base, byteCount: text.count)
        return unsafe PooledText(at: block, count: text.count)
    }

    @inline(never) private mutating func giveBack(_ text: PooledText) {
        let size = TextPool.size(text.shortCount)
        let address = UInt(truncatingIfNeeded: text.bits & (1 &<< 48 &- 1))
        let start = address & ~UInt(TextPool.pageSize - 1)
        let page = unsafe UnsafeMutablePointer<Page>(bitPattern: start).unsafelyUnwrapped
        let hadRoom = unsafe TextPool.hasRoom(page)
        unsafe text.address.storeBytes(of: page.pointee.released, as: UInt16.self)
        unsafe page.pointee.released = UInt16(address - start)
        unsafe page.pointee.count -= 1
        if unsafe page.pointee.count == 0 {
            if hadRoom { unsafe unlink(page, size) }
            unsafe page.pointee.next = freePages
            unsafe freePages = page
        } else if !hadRoom {
            unsafe link(page, size)
        }
    }

    // MARK: Pages

    private static func hasRoom(_ page: UnsafeMutablePointer<Page>) -> Bool {
        unsafe page.pointee.released != 0 || Int(page.pointee.fresh) + Int(page.pointee.blockSize) <= pageSize
    }

    private mutating func openPage(_ size: Int) -> UnsafeMutablePointer<Page> {
        let page = unsafe allocatePage()
        let (fresh, blockSize) = (UInt16(TextPool.headerSize), UInt16(size * TextPool.step))
        unsafe page.initialize(to: Page(fresh: fresh, blockSize: blockSize))
        unsafe link(page, size)
        return unsafe page
    }

    private mutating func link(_ page: UnsafeMutablePointer<Page>, _ size: Int) {
        unsafe page.pointee.previous = nil
        unsafe page.pointee.next = roomy[size]
        unsafe roomy[size]?.pointee.previous = page
        unsafe roomy[size] = page
    }

    private mutating func unlink(_ page: UnsafeMutablePointer<Page>, _ size: Int) {
        let (next, previous) = unsafe (page.pointee.next, page.pointee.previous)
        if let previous = unsafe previous {
            unsafe previous.pointee.next = next
        } else {
            unsafe roomy[size] = next
        }
        unsafe next?.pointee.previous = previous
    }

    private mutating func allocatePage() -> UnsafeMutablePointer<Page> {
        if let free = unsafe freePages {
            unsafe freePages = free.pointee.next
            return unsafe free
        }
        if untouched == 0 { addRegion() }
        let page = unsafe end.unsafelyUnwrapped - untouched * TextPool.pageSize
        untouched -= 1
        return unsafe page.bindMemory(to: Page.self, capacity: 1)
    }

    /// Adds as many pages as there are, from 4 to 64, so that a small tree takes little memory.
    private mutating func addRegion() {
        untouched = min(max(pageCount, 4), TextPool.mostPages)
        let bytes = untouched * TextPool.pageSize
        let start = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: TextPool.pageSize)
        precondition(UInt64(UInt(bitPattern: start)) &>> 48 == 0, "an address has more than 48 bits")
        regions.append(UInt(bitPattern: start))
        unsafe end = start + bytes
        pageCount += untouched
    }

    // MARK: Long texts

    fileprivate static func farCount(_ address: UnsafeMutableRawPointer) -> Int {
        unsafe (address - headerSize).load(as: Page.self).count
    }

    private mutating func makeFar(_ text: ByteView) -> PooledText {
        let header = TextPool.headerSize
        let block = UnsafeMutableRawPointer.allocate(byteCount: header + text.count, alignment: 16)
        precondition(UInt64(UInt(bitPattern: block)) &>> 48 == 0, "an address has more than 48 bits")
        let far = unsafe block.bindMemory(to: Page.self, capacity: 1)
        unsafe far.initialize(to: Page(count: text.count))
        unsafe link(far, 0)
        unsafe (block + header).copyMemory(from: text.base, byteCount: text.count)
        return unsafe PooledText(at: block + header, count: PooledText.farMark)
    }

    @inline(never) private mutating func giveBackFar(_ text: PooledText) {
        let block = unsafe text.address - TextPool.headerSize
        unsafe unlink(block.assumingMemoryBound(to: Page.self), 0)
        unsafe block.deallocate()
    }
}
