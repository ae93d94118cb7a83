import ExamplesKit

extension Options {
    /// What `--help` prints.
    static let help = """
        Vitals shows the vital signs of this machine: CPU, memory, load, network and disks.

        USAGE: Vitals [options]

          --samples N     stop after N samples; by default Vitals runs until Ctrl-C or, in the dashboard, q
          --interval MS   milliseconds between samples, 10 to 86400000; by default 1000
          --plain         print one line per sample, even in a terminal; the default if the output is not a terminal
          --json          print one JSON object per sample, each on a line
          --root DIR      read DIR instead of /proc
          --help, -h      print this help

        In a terminal, Vitals shows a dashboard that adapts to the size of the terminal. NO_COLOR=1 turns colors off, and
        TERM=dumb selects plain lines.

        FIGURES
          A sample describes the time between two readings, so the first one appears one interval after the start.
          cpu      share of all cores that were neither idle nor waiting for a disk, and its average over 5 samples;
                   the kernel counts in ticks of 10 ms, so intervals below 100 ms are imprecise
          mem      all memory except what /proc/meminfo calls available
          net      all interfaces except lo; virtual ones (bridges, tunnels, veth ...) count only if there are no others,
                   because the others carry their bytes
          disk     whole disks; partitions and devices built from disks (dm, md, loop ...) are not counted again
          alerts   raised and cleared at: cpu average 85% and 70%, memory 90% and 85%, load per core 2.0 and 1.5,
                   disk busy (average over 5 samples) 95% and 80%

        RECORDINGS
          DIR can have the structure of /proc (DIR/stat, DIR/meminfo, DIR/loadavg, DIR/net/dev, DIR/diskstats). Vitals
          reads it again for each sample. Or it contains one such directory per reading, DIR/0, DIR/1, DIR/2 and so on,
          each with an uptime file, which is the time of the reading. --interval then only sets the speed of the replay.
          To record:
            for i in 0 1 2 3 4 5; do
              mkdir -p DIR/$i/net
              for f in stat meminfo loadavg net/dev diskstats uptime; do cat /proc/$f >DIR/$i/$f; done
              sleep 1
            done

        EXIT STATUS
          Ctrl-C, SIGTERM, SIGHUP and SIGQUIT stop Vitals with a summary, and so does the key q in the dashboard. The
          summary goes to standard error, or, after a dashboard, to standard output. If the program that reads the output
          stops reading, as in Vitals | head, Vitals exits silently.
          0  all samples were taken, or the user or the reader of the output stopped Vitals
          1  a file or the output failed
          64  wrong usage
        """
}
