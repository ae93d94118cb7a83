extension Options {
    /// What `--help` prints.
    static let help = """
        ConfigReload does what a server does with its configuration: it watches a file, and takes over what changes in it.

        USAGE: ConfigReload [options] [FILE]

          FILE         the one to watch; \(shippedFile) if not given
          --once       say what is wrong with the file, and end
          --help, -h   print this

        THE FILE
          is JSON, up to 1 MiB. What it does not give has its default:
            server.port                8080     1 to 65535
            log.level                  "info"   trace, debug, info, notice, warning, error or critical
            limits.requestsPerSecond   500      1 to 1000000
            limits.bodyBytes           1048576  0 to 1073741824
            workers.min                2        1 to 1024, and no more than workers.max
            workers.max                8        1 to 1024
          It comes into force as a whole or, if anything in it is wrong, not at all: then the last good one stays in force.
          Errors and warnings, on standard error, have the form FILE:LINE:COLUMN: error: KEY: REASON.

        WATCHING
          The file may be written in place, replaced, deleted and made again, be a link, and lie behind links; so may its
          directory. It is read once it has been left alone for 50 ms, or, if it never is, about once a second. What other
          computers do to a file on a network file system is not seen, nor what is written by another hard link to it.

        ENDING
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end ConfigReload.
          0  a signal ended it, or nobody reads its output any more, or the file is valid (--once)
          2  wrong usage
          1  the file is not valid in the beginning, or the output failed
        """
}
