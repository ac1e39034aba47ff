#!/usr/bin/env python3
"""Runs rxtop on a separate terminal and measures its cost: watch.py SECONDS [--keys KEYS] RXTOP ARGUMENT...

Prints the share of one core that rxtop used after its first screen had appeared, in percent, and its peak memory, in
MiB. KEYS are typed once the screen has appeared, one every quarter of a second; \\r is Enter.
"""
import fcntl, os, pty, select, signal, struct, sys, termios, time

seconds, command, keys = float(sys.argv[1]), sys.argv[2:], ""
if command[0] == "--keys":
    keys, command = command[1].replace("\\r", "\r"), command[2:]
child, terminal = pty.fork()
if child == 0:
    os.environ.setdefault("TERM", "xterm-256color")
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))


def used():
    """The processor time that rxtop has used so far, in seconds."""
    fields = open(f"/proc/{child}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drain(end):
    count = 0
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], max(0, min(0.2, end - time.monotonic())))
        if ready:
            try:
                count += len(os.read(terminal, 65536))
            except OSError:
                sys.exit("watch.py: rxtop ended by itself")
    return count


first = time.monotonic() + 60
while drain(time.monotonic() + 0.2) == 0:
    if time.monotonic() > first:
        sys.exit("watch.py: rxtop showed nothing within a minute")
drain(time.monotonic() + 1)
for key in keys:
    os.write(terminal, key.encode())
    drain(time.monotonic() + 0.25)
drain(time.monotonic() + 5)
before, start = used(), time.monotonic()
drain(start + seconds)
share = (used() - before) / (time.monotonic() - start) * 100
status = open(f"/proc/{child}/status").read()
peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
os.write(terminal, b"\x03")
deadline = time.monotonic() + 10
while os.waitpid(child, os.WNOHANG)[0] == 0:
    if time.monotonic() > deadline:
        os.kill(child, signal.SIGKILL)
        sys.exit("watch.py: rxtop did not end at ^C")
    time.sleep(0.05)
print(f"core-percent {share:.1f}")
print(f"peak-mib {peak // 1024}")
