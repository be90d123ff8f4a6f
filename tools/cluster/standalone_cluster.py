"""A standalone cluster of Spark on this machine: a master and workers, each a process of its own."""

import os
import queue
import re
import signal
import subprocess
import threading
from pathlib import Path

import pyspark

# What a daemon may take to say that it is there.
PATIENCE_SECONDS = 180


class Daemon:
    """A master or a worker, in a group of processes with the executors that it starts."""

    def __init__(self, kind, *words, ready, work_dir):
        home = Path(pyspark.__file__).parent
        self.process = subprocess.Popen(
            [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *words],
            env={
                **os.environ,
                "SPARK_HOME": str(home),
                "SPARK_LOCAL_IP": "127.0.0.1",
                "SPARK_DAEMON_MEMORY": "512m",
                "SPARK_WORKER_DIR": str(work_dir),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        lines = queue.Queue()
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        said = []
        while True:
            line = lines.get(timeout=PATIENCE_SECONDS)
            if line is None:
                raise RuntimeError(f"{kind} has ended: {''.join(said[-5:])}")
            said.append(line)
            self.found = re.search(ready, line)
            if self.found:
                return

    def _read(self, lines):
        for line in self.process.stdout:
            lines.put(line)
        lines.put(None)

    def kill(self):
        """Ends it and its executors at once."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class Cluster:
    """A master and workers of one core each, on loopback; it ends with its context."""

    def __init__(self, workers, work_dir):
        self.daemons = []
        try:
            master = self._start(
                "master.Master",
                *["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"],
                ready=r"Starting Spark master at (spark://\S+)",
                work_dir=work_dir,
            )
            self.url = master.found[1]
            self.workers = [
                self._start(
                    "worker.Worker",
                    *["--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g", self.url],
                    ready="Successfully registered with master",
                    work_dir=work_dir,
                )
                for _ in range(workers)
            ]
        except BaseException:
            self.close()
            raise

    def _start(self, *words, **options):
        self.daemons.append(Daemon(*words, **options))
        return self.daemons[-1]

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def session(self, **settings):
        """A plain session of PySpark on this cluster."""
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.url).appName("orderlens")
        for name, value in {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.log.level": "OFF",
            "spark.executor.memory": "768m",
            "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
            **settings,
        }.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()
