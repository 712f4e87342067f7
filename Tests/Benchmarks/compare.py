"""Runs the commands of a benchmark in turns and prints medians, ratios and peak memory; see bench."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def commands(authscan, capture, scratch):
    """Name and command of everything that is compared; what is not installed is left out."""
    rows = [
        ("cat", ["cat", capture]),
        ("authscan", [authscan, "--fail-on", "never", capture]),
        ("authscan json", [authscan, "--fail-on", "never", "--format", "json", capture]),
        ("tcpdump", ["tcpdump", "-r", capture, "-w", "/dev/null"]),
        ("dsniff", ["dsniff", "-m", "-n", "-p", capture]),
    ]
    if os.environ.get("SLOW"):
        rows += [
            ("tcpflow", ["tcpflow", "-q", "-a", "-o", os.path.join(scratch, "flows"), "-r", capture]),
            ("tshark", ["tshark", "-n", "-r", capture, "-Y", "http.authorization", "-T", "fields", "-e", "frame.number"]),
        ]
    return [(name, command) for name, command in rows if shutil.which(command[0])]


def seconds(command):
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took = time.monotonic() - start
    if done.returncode != 0 and "authscan" in command[0]:
        sys.exit("%s ended with status %d" % (" ".join(command), done.returncode))
    return took


def peak_megabytes(command):
    """The largest resident set of one run, measured in a process of its own."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit("%s ended with status %d" % (" ".join(command), status))
    return usage.ru_maxrss / 1024


def main():
    authscan, mixed, flows = sys.argv[1:]
    runs = int(os.environ.get("RUNS", "5"))
    with tempfile.TemporaryDirectory() as scratch:
        rows = commands(authscan, mixed, scratch)
        times = {name: [] for name, _ in rows}
        for run in range(runs + 1):
            for name, command in rows:
                # The slow ones need no warm-up and no repetition to be told from the fast ones.
                if name in ("tcpflow", "tshark") and run != 1:
                    continue
                took = seconds(command)
                if run > 0:
                    times[name].append(took)
        medians = {name: statistics.median(values) for name, values in times.items()}
        print("%-14s %10s %8s %12s" % ("", "median s", "x cat", "x authscan"))
        for name, median in medians.items():
            print("%-14s %10.3f %8.2f %12.2f" % (name, median, median / medians["cat"], median / medians["authscan"]))
    version = min(seconds([authscan, "--version"]) for _ in range(20))
    print("start (--version)          %8.1f ms" % (version * 1e3))
    print("peak memory, mixed         %8.0f MB" % peak_megabytes([authscan, "--fail-on", "never", mixed]))
    print("peak memory, million flows %8.0f MB" % peak_megabytes([authscan, "--fail-on", "never", flows]))


main()
