extension Options {
    /// What `--help` prints.
    static let help = """
        ConfigReload watches a configuration file, as a server does, and applies what changes in it.

        USAGE: ConfigReload [options] [FILE]

          FILE         the file to watch, by default \(shippedFile)
          --once       check the file, print what is wrong with it, and exit
          --help, -h   print this help

        THE FILE
          The file is JSON, up to 1 MiB. Keys that it does not give have their defaults:
            server.port                8080     1 to 65535
            log.level                  "info"   trace, debug, info, notice, warning, error or critical
            limits.requestsPerSecond   500      1 to 1000000
            limits.bodyBytes           1048576  0 to 1073741824
            workers.min                2        1 to 1024, and no more than workers.max
            workers.max                8        1 to 1024
          A file is applied as a whole. If anything in it is invalid, the last valid configuration remains in force.
          Errors and warnings go to standard error, in the form FILE:LINE:COLUMN: error: KEY: REASON.

        WATCHING
          The file may be written in place, replaced, or deleted and created again. It may be a symbolic link, and so may
          its directory. ConfigReload reads it when it has not changed for 50 ms, or, if it keeps changing, about once per
          second. It does not detect changes that other computers make on a network file system, or that are written
          through another hard link.

        EXIT STATUS
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT stop ConfigReload.
          0  stopped by a signal, or the reader of the output stopped reading, or the file is valid (--once)
          1  the file was invalid at the start, or the output failed
          64  wrong usage
        """
}
