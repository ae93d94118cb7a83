extension Options {
    /// What `--help` prints.
    static let help = """
        LineCount counts the lines of code, comment and white space in a directory, by language.

        USAGE: LineCount [options] DIR

          --json          print one JSON object, which also lists all skipped files
          --exclude PATTERN
                          skip what a .gitignore in DIR with this pattern would skip, such as '*.pb.swift' or /Tests;
                          can be repeated
          --no-ignore     also count files that .gitignore files exclude, and files in .git
          --limit N       process up to N files at the same time, 1 to 256; by default the number of processors
          --retries N     retry a file that is temporarily unreadable (too many open files, a lease ...) up to N times,
                          each time a tenth of a second later; by default 10
          --compare       count with limit 1 and limit 2 in turn, nine times, and print the ratio of the shortest times
          --help, -h      print this help

        If standard error is a terminal, it shows the progress. Set TERM=dumb to turn that off.

        COUNTING
          Each line of a file is code, comment or blank, so the three counts add up to its number of lines. A last line
          without a line break counts. A line that contains code is code, whatever else it contains. A line of only white
          space is blank, even in a comment. A comment sign in a string does not begin a comment. In Python, a string that
          is a statement of its own, such as documentation, is a comment, raw or not. A string that is an argument or a
          value is code. The table shows the sums per language. Bytes are those of the counted files.

        FILES
          The language is determined by the name, or, without an extension, by the first line. Links are followed, and no
          file counts twice. Files that .gitignore files exclude are not counted. LineCount reads those in DIR, below it
          and, in a Git repository, above it. DIR itself is never excluded. Broken links, link cycles, and files that are
          not UTF-8, binary, larger than 100 MiB or unreadable are skipped and listed. Ignored files and files in unknown
          languages appear only as a number.

        EXIT STATUS
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT stop LineCount, which prints a report of what it has counted so far.
          0  everything was counted   1  something could not be read, or the output failed
          64  wrong usage   130  stopped by a signal
        """
}
