"""How the tools run other programs: to their end, or killed with all they started."""

import os
import subprocess


def run(command, seconds, **options):
    """-> (exit code, output of both streams). `options` are subprocess.Popen's; what takes longer gives 124."""
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, **options)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        return 124, output + f"\nkilled after {seconds} s\n"
