"""Installs packages into an environment of their own, once.

Reads one JSON object from a line of its standard input, and prints one on each line: what it is doing, then
`ready` or `failed`. It needs Python's standard library alone. A file that is written last says that
the environment is complete; a lock, which the system takes back however the process ends, lets one
process at a time install.
"""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

OLDEST_PYTHON = (3, 11)
OLDEST_JAVA = 17
STAMP = "complete.json"
IS_WINDOWS = os.name == "nt"


class Failure(Exception):
    """Why there can be no environment: a word for the caller, and what was found."""

    def __init__(self, reason, found):
        super().__init__(reason)
        self.reason = reason
        self.found = found


def say(kind, **facts):
    print(json.dumps({"kind": kind, **facts}), flush=True)


def java():
    """The Java that will be started, and its version."""
    home = os.environ.get("JAVA_HOME")
    program = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if program is None:
        raise Failure("no_java", "no java on the PATH, and JAVA_HOME is not set")
    try:
        said = subprocess.run([program, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as cause:
        raise Failure("no_java", f"{program} does not run: {cause}") from None
    version = re.search(r'version "([^"]+)"', said.stderr + said.stdout)
    number = re.match(r"(?:1\.)?(\d+)", version.group(1)) if version else None
    if number is None or int(number.group(1)) < OLDEST_JAVA:
        raise Failure("no_java", f"{program} is Java {version.group(1) if version else 'unknown'}")
    return program, version.group(1)


def lock(file):
    """Waits until no other process has the lock; it ends with this process and those it starts."""
    if IS_WINDOWS:
        import msvcrt

        file.seek(0)
        while True:
            try:
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            except OSError:
                continue
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("step", text="Waiting for another process that installs the same")
        fcntl.flock(file, fcntl.LOCK_EX)


def python_of(folder):
    return folder / ("Scripts/python.exe" if IS_WINDOWS else "bin/python")


def run(words, lock_file, log, on_line=lambda line: None):
    """Runs a program with its output in the log; the program ends if this one is told to."""
    variables = {
        **os.environ,
        "PYTHONNOUSERSITE": "1",
        "PYTHONHOME": "",
        "PYTHONPATH": "",
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    # An empty PYTHONHOME is a folder to some versions.
    for name in ("PYTHONHOME", "PYTHONPATH"):
        del variables[name]
    child = subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=variables,
        pass_fds=() if IS_WINDOWS else (lock_file.fileno(),),
    )
    lines = []
    try:
        for line in child.stdout:
            log.write(line)
            lines.append(line.strip())
            on_line(line)
        return child.wait(), lines
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def say_step(line):
    """What pip is doing, if a line of its output says so."""
    found = re.match(
        r"\s*(Downloading|Using cached|Building wheel for|Installing collected packages:) (.*)",
        line,
    )
    if found is not None:
        word, rest = found.groups()
        rest = re.sub(r"https?://\S*/", "", rest).strip()
        say("step", text=f"Installing: {word[0].lower()}{word[1:]} {rest}"[:100])


def install(folder, job, requests, lock_file):
    """Makes the environment anew."""
    with open(folder.with_suffix(".log"), "w", encoding="utf-8") as log:
        say("step", text=f"Installing {job['what']} into an environment of its own, once ({job['size']})")
        venv = [sys.executable, "-m", "venv", "--clear"]
        # Most of the time is that of pip, which only packages need.
        bare = [] if any(requests.values()) else ["--without-pip"]
        code, lines = run([*venv, *bare, folder], lock_file, log)
        if code != 0:
            raise Failure("no_venv", last_words(lines))
        pip = [python_of(folder), "-m", "pip", "install", "--progress-bar", "off"]
        for name, more in (("build", []), ("run", ["--no-build-isolation"])):
            if requests[name] == "":
                continue
            file = folder / f"{name}_requirements.txt"
            file.write_text(requests[name], encoding="utf-8")
            # Packages with wheels for each system have no hashes here, and are no less pinned.
            hashed = ["--require-hashes"] if "--hash" in requests[name] else ["--only-binary", ":all:"]
            words = [*pip, "--no-deps", *hashed, *more, "-r", file]
            code, lines = run(words, lock_file, log, say_step)
            if code != 0:
                raise Failure("no_packages", last_words(lines))


def last_words(lines):
    errors = [line for line in lines if "error" in line.lower()]
    words = (errors or [line for line in lines if line] or ["no output"])[-1]
    return re.sub(r"//[^/@\s]*@", "//", words)


def stamp_of(requests):
    digest = hashlib.sha256(json.dumps(requests, sort_keys=True).encode()).hexdigest()
    return {"requirements": digest, "python": list(sys.version_info[:3])}


def read_json(file):
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def prepare(job):
    version = java()[1] if job["needsJava"] else None
    root = Path(job["folder"])
    requests = {"build": job["buildRequirements"], "run": job["requirements"]}
    stamp = stamp_of(requests)
    root.mkdir(parents=True, exist_ok=True)
    folder = root / f"environment_{stamp['requirements'][:16]}"
    with open(root / "lock", "a+b") as lock_file:
        lock(lock_file)
        if read_json(folder / STAMP) != stamp or not python_of(folder).exists():
            install(folder, job, requests, lock_file)
            (folder / STAMP).write_text(json.dumps(stamp), encoding="utf-8")
    say("ready", python=str(python_of(folder)), java=version)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if sys.version_info[:2] < OLDEST_PYTHON:
            raise Failure("no_python", f"{sys.executable} is Python {sys.version.split()[0]}")
        prepare(json.loads(sys.stdin.readline()))
    except Failure as failure:
        say("failed", reason=failure.reason, found=failure.found)
    except OSError as cause:
        say("failed", reason="no_folder", found=str(cause))


if __name__ == "__main__":
    main()
