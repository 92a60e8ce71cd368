"""The program from outside: its sentences, exit codes, ready line and file, and how it ends. OPLOGUE names another build."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("OPLOGUE", str(ROOT / "build/release/oplogue"))
DEADLINE_SECONDS = 10

EVENT_TOKEN = ("826B0D898F000000042B042C0100296E5A10049ACDA8123D02401A9429E691047C1607463C6F7065726174696F6E54797065003C696E"
               "736572740046646F63756D656E744B657900461E5F6964002B02000004")


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=DEADLINE_SECONDS,
                          env={**os.environ, **environment})


def serve(*arguments, **options):
    process = subprocess.Popen([PROGRAM, "serve", "--port", "0", *arguments], stdout=subprocess.PIPE, text=True, **options)
    line = process.stdout.readline()
    return process, json.loads(line), line


def until(condition):
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Usage(unittest.TestCase):
    def assert_refused(self, sentence, *arguments, **environment):
        result = run(*arguments, **environment)
        self.assertEqual(result.stderr, f"oplogue: {sentence}\n")
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 2)

    def test_the_nearest_right_word_is_named(self):
        self.assert_refused('there is no command "sevre"; did you mean "serve"?', "sevre")
        self.assert_refused('serve: there is no option "--prot"; did you mean "--port"?', "serve", "--prot", "5")
        self.assert_refused('--profile: there is no "mongodb-7"; did you mean "mongodb-7.0"?', "serve", "--profile", "mongodb-7")
        self.assert_refused('faults: there is no "clsoe"; did you mean "close"?', "faults", "clsoe")

    def test_a_wrong_value_is_named_with_its_option(self):
        self.assert_refused('--port: "99999" is not a port from 0 to 65535', "serve", "--port", "99999")
        self.assert_refused('--repeat: "0" is not a whole number from 1 to 1000000', "run", "x.yaml", "--repeat", "0")
        self.assert_refused('--timeout: "soon" is not a duration such as 500ms, 60s or 2m', "run", "x.yaml", "--timeout", "soon")

    def test_what_is_missing_is_named(self):
        self.assert_refused("what shall be done is missing; see `oplogue --help`")
        self.assert_refused("serve: --port needs a value", "serve", "--port")
        self.assert_refused("run: PATH is missing: a scenario file or a folder of them", "run")
        self.assert_refused("run: COMMAND is missing after --", "run", "x.yaml", "--")
        self.assert_refused('there is no file or folder "/no/such.yaml"', "run", "/no/such.yaml")

    def test_what_is_too_much_is_named(self):
        self.assert_refused('serve: "b" is one argument too many', "serve", "a", "b")
        self.assert_refused("serve: takes no COMMAND after --; `oplogue run` does", "serve", "--", "x")

    def test_what_is_not_built_is_refused_by_name(self):
        self.assert_refused("serve: --control-port is not built yet", "serve", "--control-port", "0")
        self.assert_refused("serve: --log-level is not built yet", "serve", OPLOGUE_LOG_LEVEL="debug")
        self.assert_refused("run: --junit is not built yet", "run", "x.yaml", "--junit=report.xml")
        self.assert_refused("run: --jobs is not built yet", "run", "x.yaml", "-j", "4")
        self.assert_refused("`oplogue record` is not built yet", "record", "--from", "x")

    def test_wrong_security_options_are_named_and_passwords_are_not(self):
        self.assert_refused("--auth: a user is given as USER:PASSWORD, neither of them empty", "serve", "--auth", "secret")
        self.assert_refused("--auth: a user is given as USER:PASSWORD, neither of them empty", "serve", OPLOGUE_AUTH="secret")
        self.assert_refused("--tls-ca: there is no TLS without --tls-cert", "serve", "--tls-ca", "ca.pem")
        self.assert_refused("--tls-clients: whose certificates? --tls-ca names the CA that signed them",
                            "serve", "--tls-cert", "x.pem", "--tls-clients", "required")
        self.assert_refused("--tls-cert: cannot read /no/such.pem", "serve", "--port", "0", "--tls-cert", "/no/such.pem")
        with tempfile.NamedTemporaryFile(suffix=".pem") as empty:
            result = run("serve", "--port", "0", "--tls-cert", empty.name)
            self.assertTrue(result.stderr.startswith(f"oplogue: --tls-cert {empty.name}: there is no certificate in it"), result.stderr)
            self.assertEqual(result.returncode, 2)

    def test_the_environment_gives_options_and_the_command_line_wins(self):
        self.assert_refused('--port: "x" is not a port from 0 to 65535', "serve", OPLOGUE_PORT="x")
        self.assert_refused('--port: "y" is not a port from 0 to 65535', "serve", "--port", "y", OPLOGUE_PORT="x")

    def test_a_port_in_use_is_named(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assert_refused(f"port {port} of 127.0.0.1 is in use: choose another with --port, or 0 for any free one",
                                "serve", "--port", str(port))

    def test_a_scenario_that_is_no_file_is_named(self):
        self.assert_refused("cannot read /: Is a directory", "serve", "/")
        self.assert_refused("/dev/zero is larger than 8 MiB", "check", "/dev/zero")

    def test_a_ready_file_that_cannot_be_written_is_named(self):
        self.assert_refused("--ready-file: cannot write /no/such/file: No such file or directory",
                            "serve", "--port", "0", "--ready-file", "/no/such/file")

    def test_help_names_every_option(self):
        for option in ("--port", "--bind", "--profile", "--members", "--ready-file", "--exit-with-parent", "OPLOGUE_PORT"):
            self.assertIn(option, run("serve", "--help").stdout)
        self.assertEqual(run("--help").returncode, 0)


class Words(unittest.TestCase):
    def test_every_vocabulary_has_entries(self):
        for vocabulary, word in (("steps", "loseHistory"), ("faults", "close"), ("profiles", "mongodb-9.0")):
            everything = run(vocabulary)
            one = run(vocabulary, word)
            self.assertEqual(everything.returncode, 0)
            self.assertTrue(one.stdout.startswith(word + "\n"), one.stdout)
            self.assertIn(one.stdout, everything.stdout)

    def test_a_profile_says_where_its_differences_are_known_from(self):
        told = run("profiles", "mongodb-4.4", "--evidence").stdout
        self.assertIn("4.4.2 otherwise than mongodb-5.0:", told)
        self.assertIn("5.0.4 otherwise than mongodb-6.0:", told)
        self.assertIn("Updates are logged as {$v: 1, $set, $unset}\n        checked against the real server: oplog-diff-format", told)
        self.assertNotIn("otherwise than", run("profiles", "mongodb-6.0", "--evidence").stdout)

    def test_a_token_is_described_and_made_again(self):
        described = run("token", EVENT_TOKEN)
        self.assertEqual(json.loads(described.stdout)["clusterTime"], {"t": 1796049295, "i": 4})
        self.assertEqual(json.loads(run("token", "--encode", described.stdout).stdout)["_data"], EVENT_TOKEN)

    def test_what_is_no_token_is_refused(self):
        result = run("token", "zz")
        self.assertEqual(result.stderr,
                         'oplogue: token: "zz" is no resume token: resume token string was not a valid hex string\n')
        self.assertEqual(result.returncode, 2)

    def test_check_names_every_fault_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "faulty.yaml")
            file.write_text("name: faulty\nstepz: []\nsteps:\n  - instert: {}\n", encoding="utf-8")
            result = run("check", str(file))
            self.assertEqual(result.returncode, 2)
            self.assertEqual([re.match(r".*faulty\.yaml:(\d+):", line).group(1) for line in result.stderr.splitlines()],
                             ["2", "4"])


class Life(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.ready_file = pathlib.Path(self.folder.name, "ready.json")

    def tearDown(self):
        self.folder.cleanup()

    def test_the_ready_line_and_file_say_the_same_until_the_stop(self):
        process, ready, line = serve("--members", "2", "--seed", "7", "--ready-file", str(self.ready_file))
        self.assertEqual(self.ready_file.read_text(encoding="utf-8"), line)
        self.assertEqual(ready["pid"], process.pid)
        self.assertEqual(ready["seed"], 7)
        addresses = [member["address"] for member in ready["members"]]
        self.assertEqual(ready["uri"], f"mongodb://{addresses[0]},{addresses[1]}/?replicaSet=rs0")
        for address in addresses:
            host, port = address.split(":")
            socket.create_connection((host, int(port)), DEADLINE_SECONDS).close()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.communicate(timeout=DEADLINE_SECONDS)[0], "")
        self.assertEqual(process.returncode, 0)
        self.assertFalse(self.ready_file.exists())

    def test_an_ipv6_address_stands_in_brackets(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError as error:
            self.skipTest(f"no IPv6 here: {error}")
        process, ready, _ = serve("--bind", "::1")
        address = ready["members"][0]["address"]
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(DEADLINE_SECONDS), 0)
        process.stdout.close()
        self.assertRegex(address, r"^\[::1\]:\d+$")
        self.assertEqual(ready["uri"], f"mongodb://{address}/?replicaSet=rs0")

    def test_an_interrupt_stops_it_though_clients_are_connected(self):
        process, ready, _ = serve()
        host, port = ready["members"][0]["address"].split(":")
        with socket.create_connection((host, int(port)), DEADLINE_SECONDS) as client:
            process.send_signal(signal.SIGINT)
            self.assertEqual(client.recv(1), b"")
        self.assertEqual(process.wait(DEADLINE_SECONDS), 0)
        process.stdout.close()

    def test_it_ends_with_its_parent_when_asked_to(self):
        parent = subprocess.Popen(
            [sys.executable, "-c",
             "import subprocess, sys; subprocess.Popen(sys.argv[1:]); sys.stdin.read()",
             PROGRAM, "serve", "--port", "0", "--exit-with-parent", "--ready-file", str(self.ready_file)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self.assertTrue(until(self.ready_file.exists))
        pid = json.loads(self.ready_file.read_text(encoding="utf-8"))["pid"]
        self.assertTrue(is_alive(pid))
        parent.kill()
        parent.communicate()
        self.assertTrue(until(lambda: not is_alive(pid)))
        self.assertFalse(self.ready_file.exists())

    def test_a_killed_run_leaves_no_consumer(self):
        scenario = pathlib.Path(self.folder.name, "waits.yaml")
        scenario.write_text("name: waits\nsteps:\n  - await: {output: never}\n", encoding="utf-8")
        note = pathlib.Path(self.folder.name, "pid")
        process = subprocess.Popen([PROGRAM, "run", str(scenario), "--", "sh", "-c", f"echo $$ >{note}.new; mv {note}.new {note}; "
                                    "exec sleep 1000"], stdout=subprocess.DEVNULL)
        self.assertTrue(until(note.exists))
        consumer = int(note.read_text(encoding="utf-8"))
        process.kill()
        process.wait(DEADLINE_SECONDS)
        self.assertTrue(until(lambda: not is_alive(consumer)))

    def test_an_interrupted_run_prints_the_table_so_far(self):
        scenario = pathlib.Path(self.folder.name, "waits.yaml")
        scenario.write_text("name: waits\nsteps:\n  - await: {output: never}\n", encoding="utf-8")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([PROGRAM, "run", str(scenario), "--", "sh", "-c", "echo up; exec sleep 1000"],
                                       stdout=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "up\n")
            process.send_signal(number)
            table = process.communicate(timeout=DEADLINE_SECONDS)[0]
            self.assertIn("0 passed, 1 failed", table)
            self.assertEqual(process.returncode, code)

    def test_the_second_interrupt_does_not_wait_for_the_consumer(self):
        scenario = pathlib.Path(self.folder.name, "waits.yaml")
        scenario.write_text("name: waits\nsteps:\n  - await: {output: never}\n", encoding="utf-8")
        process = subprocess.Popen([PROGRAM, "run", str(scenario), "--", "sh", "-c",
                                    "trap 'echo asked' TERM; echo $$; while :; do sleep 0.01; done"],
                                   stdout=subprocess.PIPE, text=True)
        consumer = int(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "asked\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(DEADLINE_SECONDS), 130)
        process.stdout.close()
        self.assertTrue(until(lambda: not is_alive(consumer)))

    def test_a_served_script_that_fails_says_so_and_the_deployment_goes_on(self):
        scenario = pathlib.Path(self.folder.name, "fails.yaml")
        scenario.write_text("name: fails\nsteps:\n  - delete: {ns: app.items, q: {$nope: 1}, limit: 0}\n", encoding="utf-8")
        process, ready, _ = serve(str(scenario), stderr=subprocess.PIPE)
        self.assertIn("fails.yaml:3: delete:", process.stderr.readline())
        host, port = ready["members"][0]["address"].split(":")
        socket.create_connection((host, int(port)), DEADLINE_SECONDS).close()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(DEADLINE_SECONDS), 0)
        with process.stdout, process.stderr:
            self.assertTrue(process.stderr.read().endswith("The script is over; the deployment is still served.\n"))

    def test_nothing_is_served_when_given_cannot_be_done(self):
        scenario = pathlib.Path(self.folder.name, "given.yaml")
        scenario.write_text("name: given\ngiven:\n  - insert: {ns: app.items, documents: [{_id: 1}, {_id: 1}]}\nsteps:\n  - noop: {}\n", encoding="utf-8")
        result = run("serve", "--port", "0", str(scenario))
        self.assertIn("given.yaml:3: insert:", result.stderr)
        self.assertIn("E11000 duplicate key", result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
