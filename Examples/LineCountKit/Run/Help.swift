extension Options {
    /// What `--help` prints.
    static let help = """
        LineCount counts the lines of code, the lines of comment and the blank ones below a directory, by language.

        USAGE: LineCount [options] DIR

          --json          one JSON object, with all that was skipped
          --exclude PATTERN
                          leave out what a .gitignore in DIR with this pattern would, such as '*.pb.swift' or /Tests; may be
                          given several times
          --no-ignore     count also what .gitignore files leave out, and what is in .git
          --limit N       files in progress at the same time, 1 to 256; as many as there are processors if not given
          --retries N     how often a file that cannot be read for the moment (too many open files, a lease ...) is tried
                          again, a tenth of a second later each time; 10 if not given
          --compare       count with limit 1 and with limit 2 in turn, nine times, and print the ratio of the fastest times
          --help, -h      print this

        If standard error is a terminal, it shows the progress; TERM=dumb leaves that out.

        FIGURES
          Every line of a file is one of three: code, comment or blank, so the three add up to its number of lines. A last
          line without an end counts. A line with code is code, whatever else is on it. One with nothing but white space is
          blank, in a comment, too. A comment sign in a string begins no comment. A string that is a statement of its own
          in Python, as documentation is, raw or not, is a comment; one that is an argument or a value is code.
          The table has the sums of the files in a language. Bytes are those of the files that were counted.

        FILES
          The name tells the language, or, without an extension, the first line. Links are followed, and no file counts
          twice. What .gitignore files leave out is not counted: those in DIR, below it and, in a Git repository, above it.
          DIR itself is never left out. Broken links, link cycles, files that are not UTF-8, binary, larger than 100 MiB or
          unreadable are skipped and reported; files in no known language, or ignored, only as a number.

        ENDING
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end LineCount with a report of what it has counted so far.
          0  all is counted   1  something could not be read, or the output failed   2  wrong usage
          130  a signal ended it
        """
}
