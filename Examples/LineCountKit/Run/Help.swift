extension Options {
    /// What `--help` prints.
    static let help = """
        LineCount counts the lines of code, the lines of comment and the blank ones below a directory, by language.

        USAGE: LineCount [options] DIR

          --json          one JSON object, with all that was skipped
          --limit N       files in progress at the same time, 1 to 256; as many as there are processors if not given
          --retries N     how often a file that cannot be read for the moment (too many open files, a lease ...) is tried
                          again, a tenth of a second later each time; 10 if not given
          --compare       count with limit 1 and with limit 2 in turn, nine times, and print the ratio of the fastest times
          --help, -h      print this

        If standard error is a terminal, it shows the progress; TERM=dumb leaves that out.

        LINES
          A line with code is code, whatever else is on it. One with nothing but white space is blank, in a comment, too. A
          comment sign in a string begins no comment. Documentation strings of Python are comments.

        FILES
          The name tells the language, or, without an extension, the first line. Links are followed, and no file counts
          twice. Broken links, link cycles, files that are not UTF-8, binary, larger than 100 MiB or unreadable are skipped
          and reported; files in no known language only as a number.

        ENDING
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end LineCount with a report of what it has counted so far.
          0  all is counted   1  the directory or the output failed   2  wrong usage   130  a signal ended it
        """
}
