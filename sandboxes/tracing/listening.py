"""A service's place on a machine, as `address:port` or a socket's path: who listens there, and a stand-in that does."""

import posixpath
import shlex

from cases import patterns as re

_SINK_PYTHON = """
import os, socket, sys
place = sys.argv[1]
port = place.rpartition(":")[2]
if place.startswith(("/", "@")):
    if place[0] == "/":
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.lexists(place):
            os.remove(place)
    sink = socket.socket(socket.AF_UNIX)
    sink.bind(place if place[0] == "/" else chr(0) + place[1:])
    if place[0] == "/":
        os.chmod(place, 0o666)
    sink.listen(50)
else:
    try:
        sink = socket.create_server(("", int(port)), family=socket.AF_INET6, dualstack_ipv6=True)
    except OSError:
        sink = socket.create_server(("", int(port)))
while True:
    one = sink.accept()[0]
    one.settimeout(0.5)
    try:
        one.recv(65536)
    except OSError:
        pass
    one.close()
"""
_SINK_PERL = """
use Socket; my $place = shift; my ($port) = $place =~ /:(\\d+)$/; my $sink;
if ($place =~ m{^/}) { my ($d) = $place =~ m{(.*)/}; system("mkdir", "-p", $d); unlink $place;
  socket($sink, PF_UNIX, SOCK_STREAM, 0) or die; bind($sink, sockaddr_un($place)) or die; chmod 0666, $place; }
else { socket($sink, PF_INET, SOCK_STREAM, 0) or die; bind($sink, sockaddr_in($port, INADDR_ANY)) or die; }
listen($sink, 50) or die; while (accept(my $one, $sink)) { close $one }
"""


def port_of(place: str) -> str | None:
    """The port of a place that has one."""
    found = re.search(r":(\d{1,5})$", place)
    return None if found is None or place.startswith(("/", "@")) else found[1]


def listens(place: str) -> str:
    """A command that succeeds where something listens there, by what the kernel itself lists."""
    if port := port_of(place):
        return f"grep -qE ':{int(port):04X} [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6 2>/dev/null"
    name = place if place.startswith("@") else f"/{posixpath.basename(place)}"
    return f"grep -F -- {shlex.quote(name)} /proc/net/unix | grep -q ' 00010000 '"


def waiting(place: str, seconds: int) -> str:
    """A command that waits until something listens there; it fails where nothing does by then."""
    return f"for i in $(seq {seconds * 4}); do {listens(place)} && break; sleep 0.25; done; {listens(place)}"


def listener(place: str) -> tuple[str, ...]:
    """What root does so that something listens there which takes every connection and hangs up."""
    word = shlex.quote(place)
    ways = f"if command -v python3 >/dev/null; then {_started('python3 -c', _SINK_PYTHON, word)} "
    ways += f"else {_started('perl -e', _SINK_PERL, word)} fi"
    return ways, waiting(place, 5)


def _started(program: str, code: str, word: str) -> str:
    return f"setsid {program} {shlex.quote(code)} {word} </dev/null >/dev/null 2>&1 &"
