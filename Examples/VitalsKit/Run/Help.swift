import ExamplesKit

extension Options {
    /// What `--help` prints.
    static let help = """
        Vitals shows the vital signs of this machine: CPU, memory, load, network, disk.

        USAGE: Vitals [options]

          --samples N     end after N samples; without it Vitals runs until Ctrl-C or, in its dashboard, q
          --interval MS   milliseconds between samples, 10 to 86400000; 1000 if not given
          --plain         one line a sample, also in a terminal; the default if the output is no terminal
          --json          one JSON object a line and sample
          --root DIR      read DIR in place of /proc
          --help, -h      print this

        In a terminal Vitals draws a dashboard that follows the terminal's size; NO_COLOR=1 leaves out the colours, and
        TERM=dumb gives plain lines.

        FIGURES
          A sample says what happened between two readings, so the first comes one interval after the start.
          cpu      share of all cores that was neither idle nor waiting for a disk, and its average over 5 samples;
                   the kernel counts in ticks of 10 ms, so intervals below 100 ms make it coarse
          mem      all but what /proc/meminfo calls available
          net      all interfaces but lo; virtual ones (bridges, tunnels, veth ...) count only where there are no others,
                   as the others carry their bytes
          disk     whole disks; partitions, and devices built out of disks (dm, md, loop ...), are not counted again
          alerts   raised and cleared at: cpu average 85% and 70%, memory 90% and 85%, load of a core 2.0 and 1.5,
                   disk busy (average over 5 samples) 95% and 80%

        RECORDINGS
          DIR may look like /proc itself (DIR/stat, DIR/meminfo, DIR/loadavg, DIR/net/dev, DIR/diskstats): it is read
          again for every sample. Or it holds one such directory a reading, DIR/0, DIR/1, DIR/2 and so on, each with its
          uptime, which is the time of the reading; --interval then only sets how fast it is played. To record:
            for i in 0 1 2 3 4 5; do
              mkdir -p DIR/$i/net
              for f in stat meminfo loadavg net/dev diskstats uptime; do cat /proc/$f >DIR/$i/$f; done
              sleep 1
            done

        ENDING
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end Vitals with a summary, and so does the key q in the dashboard. The summary
          goes to standard error, or, after a dashboard, to standard output. If the program that reads the output has had
          enough, as in Vitals | head, Vitals ends without a word.
          0  all samples were taken, or the user or the reader of the output ended it
          1  a file or the output failed
          2  wrong usage
        """
}
