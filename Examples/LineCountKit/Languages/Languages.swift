// A file's language is told by its name alone, so where two languages share an extension, the more common one has it.

extension Language {
    private static let slashes = ["//"]
    private static let hash = ["#"]
    private static let quotes = [StringLiteral.double, .single]

    /// Languages with the comments of C, or most of them.
    static let cFamily: [Language] = [
        c("C", ["c", "ec", "pgc"]),
        c("C++", ["cpp", "cc", "cxx", "c++", "tcc", "ipp", "ixx", "cppm", "inl"], strings: cPlusPlusStrings),
        c("C/C++ Header", ["h", "hh", "hpp", "hxx", "h++", "tpp"], strings: cPlusPlusStrings),
        c("Objective-C", ["m"]),
        c("Objective-C++", ["mm"], strings: cPlusPlusStrings),
        c("CUDA", ["cu", "cuh"]),
        c(
            "C#", ["cs", "csx"],
            strings: [rawTripleDouble] + quotes
                + ["@\"", "@$\""].map { StringLiteral($0, "\"", escapes: false, spansLines: true) }),
        c("Java", ["java"], strings: [.tripleDouble] + quotes),
        c(
            "JavaScript", ["js", "mjs", "cjs", "jsx"], interpreters: ["node", "deno", "js"],
            strings: quotes + [.template]),
        c("TypeScript", ["ts", "mts", "cts", "tsx"], strings: quotes + [.template]),
        c("Go", ["go"], strings: quotes + [.rawTemplate]),
        c("Groovy", ["groovy", "gradle", "gvy"], strings: [.tripleDouble, .pythonLike] + quotes),
        c("GLSL", ["glsl", "vert", "frag", "geom", "comp"]),
        c("HLSL", ["hlsl", "fx"]),
        c("WGSL", ["wgsl"], block: .nestedC),
        c("Metal", ["metal"]),
        c("OpenCL", ["cl"]),
        c("Verilog", ["v", "vh"], strings: [.double]),
        c("SystemVerilog", ["sv", "svh"], strings: [.double]),
        c("Protocol Buffers", ["proto"]),
        c("Solidity", ["sol"]),
        c("Zig", ["zig"], block: nil),
        c("Sass", ["scss", "sass"]),
        c("Less", ["less"]),
        c("TableGen", ["td"], block: .nestedC, strings: [.double]),
        c("Jsonnet", ["jsonnet", "libsonnet"], line: ["//", "#"]),
        c("JSON5", ["json5", "jsonc"]),
        c("Thrift", ["thrift"], line: ["//", "#"]),
        c("PHP", ["php", "phtml"], interpreters: ["php"], line: ["//", "#"], strings: spanningQuotes),
        c(
            "Swift", ["swift"], interpreters: ["swift"], block: .nestedC,
            strings: (1...3).flatMap { count in
                let signs = String(repeating: "#", count: count)
                return [
                    StringLiteral("\(signs)\"\"\"", "\"\"\"\(signs)", escapes: false, spansLines: true),
                    StringLiteral("\(signs)\"", "\"\(signs)", escapes: false),
                ]
            } + [.tripleDouble, .double]),
        c(
            "Rust", ["rs"], block: .nestedC,
            strings: (0...3).map { count in
                let signs = String(repeating: "#", count: count)
                return StringLiteral(
                    "\(signs)\"", "\"\(signs)", escapes: false, spansLines: true, prefixes: ["r", "br", "cr"])
            } + [StringLiteral("\"", "\"", spansLines: true)] + StringLiteral.quoteCharacters),
        c("Kotlin", ["kt", "kts"], block: .nestedC, strings: [rawTripleDouble] + quotes),
        c(
            "Scala", ["scala", "sc", "sbt"], block: .nestedC,
            strings: [rawTripleDouble, .double] + StringLiteral.quoteCharacters),
        c("Dart", ["dart"], block: .nestedC, strings: raw([.tripleDouble, .pythonLike] + quotes, prefixes: ["r"])),
        Language(
            name: "D", extensions: ["d", "di"], lineComments: slashes,
            blockComments: [.c, BlockComment("/+", "+/", nests: true)],
            strings: quotes + [
                .rawTemplate, StringLiteral("\"", "\"", escapes: false, spansLines: true, prefixes: ["r"]),
            ]),
        Language(name: "CSS", extensions: ["css"], blockComments: [.c], strings: quotes),
        Language(
            name: "Assembly", extensions: ["s", "asm"], lineComments: [";", "//", "#", "@", "|"], blockComments: [.c],
            strings: [.double]),
        Language(name: "Linker Script", extensions: ["ld", "lds"], blockComments: [.c], strings: [.double]),
        Language(
            name: "Terraform", extensions: ["tf", "hcl", "tfvars"], lineComments: ["#", "//"], blockComments: [.c],
            strings: [.double]),
        Language(
            name: "SQL", extensions: ["sql", "psql"], lineComments: ["--"], blockComments: [.c],
            strings: [
                StringLiteral("'", "'", spansLines: true, prefixes: ["E", "e"]),
                StringLiteral("'", "'", escapes: false, spansLines: true),
                StringLiteral("\"", "\"", escapes: false),
            ]),
    ]

    /// Scripts and configuration, most of them with `#`.
    static let scripts: [Language] = [
        Language(
            name: "Python", extensions: ["py", "pyw", "pyi"], fileNames: ["sconstruct", "sconscript"],
            interpreters: ["python", "pypy"], lineComments: hash,
            strings: StringLiteral.python),
        Language(
            name: "Starlark", extensions: ["bzl", "star"],
            fileNames: ["build", "build.bazel", "workspace", "workspace.bazel", "module.bazel"],
            lineComments: hash, strings: StringLiteral.python),
        // Without strings: only the first word of a line can be a comment, and quotation marks in here-documents are
        // text.
        Language(
            name: "Shell", extensions: ["sh", "bash", "zsh", "ksh", "bats"],
            fileNames: [".bashrc", ".bash_profile", ".profile", ".zshrc", "pkgbuild"],
            interpreters: ["sh", "bash", "zsh", "ksh", "dash", "ash"], lineComments: hash),
        Language(name: "Fish", extensions: ["fish"], interpreters: ["fish"], lineComments: hash),
        Language(
            name: "Ruby", extensions: ["rb", "rake", "gemspec", "ru"],
            fileNames: ["rakefile", "gemfile", "podfile", "fastfile"],
            interpreters: ["ruby"], lineComments: hash,
            blockComments: [BlockComment("=begin", "=end", atLineStart: true)]),
        Language(name: "Crystal", extensions: ["cr"], lineComments: hash),
        Language(
            name: "Perl", extensions: ["pl", "pm", "t", "pod"], interpreters: ["perl"], lineComments: hash,
            blockComments: ["pod", "head1", "head2", "head3", "head4", "over", "item", "begin", "for", "encoding"].map {
                BlockComment("=\($0)", "=cut", atLineStart: true)
            }),
        Language(
            name: "Raku", extensions: ["raku", "rakumod", "p6"], interpreters: ["raku"], lineComments: hash,
            blockComments: [BlockComment("#`(", ")"), BlockComment("=begin", "=end", atLineStart: true)]),
        Language(
            name: "Lua", extensions: ["lua"], interpreters: ["lua", "luajit"], lineComments: ["--"],
            blockComments: [BlockComment("--[[", "]]"), BlockComment("--[=[", "]=]")],
            strings: quotes + [StringLiteral("[[", "]]", escapes: false, spansLines: true)]),
        Language(
            name: "Elixir", extensions: ["ex", "exs"], interpreters: ["elixir"], lineComments: hash,
            strings: [.tripleDouble, .double]),
        Language(
            name: "Julia", extensions: ["jl"], interpreters: ["julia"], lineComments: hash,
            blockComments: [BlockComment("#=", "=#", nests: true)], strings: [.tripleDouble, .double]),
        Language(
            name: "Nim", extensions: ["nim", "nims"], lineComments: hash,
            blockComments: [BlockComment("#[", "]#", nests: true)],
            strings: [rawTripleDouble] + raw([.double], prefixes: ["r"])),
        Language(name: "R", extensions: ["r"], interpreters: ["rscript"], lineComments: hash),
        Language(name: "AWK", extensions: ["awk", "gawk"], interpreters: ["awk", "gawk", "mawk"], lineComments: hash),
        Language(name: "sed", extensions: ["sed"], interpreters: ["sed"], lineComments: hash),
        Language(
            name: "Tcl", extensions: ["tcl", "tk", "exp"], interpreters: ["tclsh", "wish", "expect"], lineComments: hash
        ),
        Language(
            name: "PowerShell", extensions: ["ps1", "psm1", "psd1"], interpreters: ["pwsh"], lineComments: hash,
            blockComments: [BlockComment("<#", "#>")],
            strings: [StringLiteral("\"", "\"", escapes: false), StringLiteral("'", "'", escapes: false)]),
        Language(
            name: "Batch", extensions: ["bat", "cmd"],
            lineComments: ["rem", "REM", "Rem", "@rem", "@REM", "@Rem", "::"]),
        Language(
            name: "Makefile", extensions: ["mk", "mak", "make"],
            fileNames: ["makefile", "gnumakefile", "makefile.am", "kbuild"],
            interpreters: ["make"], lineComments: hash),
        Language(
            name: "CMake", extensions: ["cmake"], fileNames: ["cmakelists.txt"], lineComments: hash,
            blockComments: [BlockComment("#[[", "]]")], strings: [StringLiteral("\"", "\"", spansLines: true)]),
        Language(name: "Meson", fileNames: ["meson.build", "meson_options.txt", "meson.options"], lineComments: hash),
        Language(
            name: "Dockerfile", extensions: ["dockerfile"], fileNames: ["dockerfile", "containerfile"],
            lineComments: hash),
        Language(name: "Just", extensions: ["just"], fileNames: ["justfile"], lineComments: hash),
        Language(name: "m4", extensions: ["m4", "ac"], lineComments: ["dnl", "#"]),
        Language(
            name: "YAML", extensions: ["yaml", "yml"], fileNames: [".clang-format", ".clang-tidy"], lineComments: hash),
        Language(name: "TOML", extensions: ["toml"], lineComments: hash),
        Language(name: "INI", extensions: ["ini", "cfg", "conf", "properties"], lineComments: [";", "#", "!"]),
        Language(
            name: "GraphQL", extensions: ["graphql", "gql"], lineComments: hash, strings: [.tripleDouble, .double]),
        Language(
            name: "Nix", extensions: ["nix"], lineComments: hash, blockComments: [.c],
            strings: [.double, StringLiteral("''", "''", escapes: false, spansLines: true)]),
        Language(name: "Vim Script", extensions: ["vim"], fileNames: [".vimrc"], lineComments: ["\""]),
    ]

    /// Functional, scientific and older languages.
    static let functional: [Language] = [
        Language(
            name: "Haskell", extensions: ["hs", "lhs", "hsc"], interpreters: ["runhaskell"], lineComments: ["--"],
            blockComments: [BlockComment("{-", "-}", nests: true)], strings: [.double] + StringLiteral.quoteCharacters),
        Language(
            name: "Elm", extensions: ["elm"], lineComments: ["--"],
            blockComments: [BlockComment("{-", "-}", nests: true)],
            strings: [.tripleDouble, .double] + StringLiteral.quoteCharacters),
        Language(
            name: "PureScript", extensions: ["purs"], lineComments: ["--"], blockComments: [BlockComment("{-", "-}")],
            strings: [.tripleDouble, .double] + StringLiteral.quoteCharacters),
        Language(
            name: "OCaml", extensions: ["ml", "mli", "mll", "mly"], interpreters: ["ocaml"],
            blockComments: [BlockComment("(*", "*)", nests: true)],
            strings: [StringLiteral("\"", "\"", spansLines: true)] + StringLiteral.quoteCharacters),
        Language(
            name: "F#", extensions: ["fs", "fsi", "fsx"], lineComments: slashes,
            blockComments: [BlockComment("(*", "*)", nests: true)],
            strings: [.tripleDouble, .double] + StringLiteral.quoteCharacters),
        Language(name: "Erlang", extensions: ["erl", "hrl"], interpreters: ["escript"], lineComments: ["%"]),
        Language(name: "Clojure", extensions: ["clj", "cljs", "cljc", "edn"], lineComments: [";"]),
        Language(
            name: "Lisp", extensions: ["lisp", "lsp", "asd"], interpreters: ["sbcl"], lineComments: [";"],
            blockComments: [BlockComment("#|", "|#", nests: true)],
            strings: [StringLiteral("\"", "\"", spansLines: true)]),
        Language(
            name: "Scheme", extensions: ["scm", "ss", "rkt"], interpreters: ["guile", "racket"], lineComments: [";"],
            blockComments: [BlockComment("#|", "|#", nests: true)],
            strings: [StringLiteral("\"", "\"", spansLines: true)]),
        Language(name: "Emacs Lisp", extensions: ["el"], lineComments: [";"]),
        Language(
            name: "Pascal", extensions: ["pas", "pp", "dpr", "lpr"], lineComments: slashes,
            blockComments: [BlockComment("{", "}"), BlockComment("(*", "*)")],
            strings: [StringLiteral("'", "'", escapes: false)]),
        Language(name: "Ada", extensions: ["adb", "ads", "ada"], lineComments: ["--"]),
        Language(
            name: "VHDL", extensions: ["vhd", "vhdl"], lineComments: ["--"], blockComments: [.c], strings: [.double]),
        Language(name: "Fortran", extensions: ["f90", "f95", "f03", "f08"], lineComments: ["!"]),
        Language(name: "Visual Basic", extensions: ["vb", "bas", "vbs"], lineComments: ["'", "rem", "REM", "Rem"]),
        Language(
            name: "Prolog", extensions: ["pro", "prolog"], lineComments: ["%"], blockComments: [.c], strings: quotes),
        Language(name: "TeX", extensions: ["tex", "sty", "cls", "ltx"], lineComments: ["%"]),
    ]

    /// Markup and data.
    static let documents: [Language] = [
        Language(name: "HTML", extensions: ["html", "htm", "xhtml"], blockComments: [.xml]),
        Language(
            name: "XML", extensions: ["xml", "xsd", "xsl", "xslt", "svg", "plist", "rng", "gir"], blockComments: [.xml]),
        Language(name: "Vue", extensions: ["vue"], lineComments: slashes, blockComments: [.xml, .c]),
        Language(name: "Svelte", extensions: ["svelte"], lineComments: slashes, blockComments: [.xml, .c]),
        Language(name: "Markdown", extensions: ["md", "markdown"], blockComments: [.xml]),
        Language(name: "reStructuredText", extensions: ["rst"]),
        Language(name: "JSON", extensions: ["json", "geojson"]),
    ]

    private static let rawTripleDouble = StringLiteral("\"\"\"", "\"\"\"", escapes: false, spansLines: true)
    private static let spanningQuotes = [
        StringLiteral("\"", "\"", spansLines: true), StringLiteral("'", "'", spansLines: true),
    ]
    private static let cPlusPlusStrings =
        quotes + [
            StringLiteral(
                "\"", "\"", escapes: false, spansLines: true, prefixes: ["R", "LR", "uR", "UR", "u8R"],
                hasDelimiter: true)
        ]

    /// The literals, and each of them without escapes behind a prefix.
    private static func raw(_ literals: [StringLiteral], prefixes: [String]) -> [StringLiteral] {
        literals
            + literals.map {
                StringLiteral($0.open, $0.close, escapes: false, spansLines: $0.spansLines, prefixes: prefixes)
            }
    }

    private static func c(
        _ name: String, _ extensions: [String], interpreters: [String] = [], line: [String] = slashes,
        block: BlockComment? = .c, strings: [StringLiteral] = quotes
    ) -> Language {
        Language(
            name: name, extensions: extensions, interpreters: interpreters, lineComments: line,
            blockComments: block.map { [$0] } ?? [], strings: strings)
    }
}

extension StringLiteral {
    /// `'''...'''` over lines.
    fileprivate static let pythonLike = StringLiteral("'''", "'''", spansLines: true)
}
