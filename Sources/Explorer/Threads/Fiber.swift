#if Explore
#if canImport(Glibc)
import Glibc

/// A `ucontext_t` of `ucontext.h`, which Swift does not import: the registers of a flow of control.
private typealias Context = UnsafeMutableRawPointer

extension Context {
    /// Larger than on any platform, zeroed.
    fileprivate static func make() -> Context {
        let context = Context.allocate(byteCount: 8_192, alignment: 16)
        memset(context, 0, 8_192)
        return context
    }

    /// Sets `uc_stack`, which follows a word of flags and a pointer on each 64-bit platform.
    fileprivate func setStack(_ stack: UnsafeMutableRawPointer, size: Int) {
        storeBytes(of: stack, toByteOffset: 16, as: UnsafeMutableRawPointer.self)
        storeBytes(of: size, toByteOffset: 32, as: Int.self)
    }
}

/// The functions of `ucontext.h`, which Swift does not import.
private struct ContextFunctions {
    let get: @convention(c) (Context) -> Int32
    let make: @convention(c) (Context, @convention(c) () -> Void, Int32) -> Void
    let swap: @convention(c) (Context, Context) -> Int32

    static let all = ContextFunctions()

    private init() {
        func find<Function>(_ name: String, as type: Function.Type) -> Function {
            guard let function = dlsym(nil, name) else { fatalError("Explorer: the C library has no \(name)") }
            return unsafeBitCast(function, to: type)
        }
        get = find("getcontext", as: (@convention(c) (Context) -> Int32).self)
        make = find("makecontext", as: (@convention(c) (Context, @convention(c) () -> Void, Int32) -> Void).self)
        swap = find("swapcontext", as: (@convention(c) (Context, Context) -> Int32).self)
    }
}

/// A strand that shares its real thread with others.
///
/// What the runtime of Swift keeps per real thread, it would confuse between fibers: the current task, its executor,
/// and the accesses to memory under way. So each fiber has its own copy of these blocks, which is put in place while it
/// runs. What the library keeps per thread is in ``ExploredThread``.
final class Fiber: Strand {
    private let context: Context
    private let stack: UnsafeMutableRawPointer?
    private var threadLocals: UnsafeMutableRawPointer
    private let pool: FiberPool
    fileprivate var body: (() -> Strand)?

    /// Large enough for the deepest scenario, and mostly never touched.
    private static let stackSize = 1 << 20

    /// The fiber that now starts to run for the first time. A context starts with a function without arguments.
    nonisolated(unsafe) private static var beginning: Fiber?

    /// A fiber for the flow of control that calls it.
    override init() {
        context = .make()
        stack = nil
        pool = .current
        threadLocals = pool.threadLocals.makeCopy()
        super.init()
    }

    fileprivate init(_ pool: FiberPool) {
        self.pool = pool
        context = .make()
        let size = Self.stackSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let stack = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let stack, stack != MAP_FAILED else { fatalError("Explorer: no memory for a stack (errno \(errno))") }
        // An overflow traps.
        mprotect(stack, sysconf(Int32(_SC_PAGESIZE)), PROT_NONE)
        self.stack = stack
        threadLocals = pool.threadLocals.makeCopy()
        super.init()
        let functions = ContextFunctions.all
        guard functions.get(context) == 0 else { fatalError("Explorer: getcontext failed (errno \(errno))") }
        context.setStack(stack, size: size)
        functions.make(context, { Fiber.begin() }, 0)
    }

    deinit {
        // A fiber with a stack of its own belongs to the pool, or is stuck in an execution that is never released.
        precondition(stack == nil, "Explorer: a fiber is released that may still run")
        context.deallocate()
        threadLocals.deallocate()
    }

    override func pass(to next: Strand) {
        let next = unsafeDowncast(next, to: Fiber.self)
        if next === self { return }
        pool.threadLocals.exchange(saving: threadLocals, loading: next.threadLocals)
        Self.beginning = next
        _ = ContextFunctions.all.swap(context, next.context)
    }

    private static func begin() {
        guard let fiber = beginning else { fatalError("Explorer: no fiber starts") }
        while true { fiber.runOnce() }
    }

    /// Runs the body, and waits for the next one.
    private func runOnce() {
        guard let body else { fatalError("Explorer: a fiber has nothing to run") }
        self.body = nil
        let next = body()
        pool.put(back: self)
        pass(to: next)
    }
}

/// The fibers of a real thread that have nothing to run.
final class FiberPool {
    fileprivate let threadLocals = ThreadLocalBlocks()
    private var idle: [Fiber] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "Explorer: the process has no thread-local slot left")
        return key
    }()

    /// The pool of the calling thread. It is never released, and neither are its threads: see ``Carrier``.
    static var current: FiberPool {
        if let known = pthread_getspecific(key) { return Unmanaged.fromOpaque(known).takeUnretainedValue() }
        let pool = FiberPool()
        pthread_setspecific(key, Unmanaged.passRetained(pool).toOpaque())
        return pool
    }

    func fiber(running body: @escaping () -> Strand) -> Fiber {
        let fiber = idle.popLast() ?? Fiber(self)
        fiber.body = body
        return fiber
    }

    fileprivate func put(back fiber: Fiber) { idle.append(fiber) }
}
#endif
#endif
