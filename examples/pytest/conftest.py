"""A fixture that starts a pet store for the whole run. PETSTORE names the program: a word, or several."""

import itertools
import json
import os
import re
import shlex
import subprocess

import pytest

numbers = itertools.count(1)


@pytest.fixture(scope="session")
def sandbox():
    command = shlex.split(os.environ.get("PETSTORE", "npx petstore"))
    process = subprocess.Popen(
        [*command, "sandbox", "--port", "0", "--json", "--seed", "empty", "--ttl", "30m"],
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, f"the pet store did not start: exit code {process.wait()}"
    yield json.loads(line)
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture
def shop(sandbox, request):
    """A shop of its own for each test: the address and the key."""
    # The number keeps tests apart whose names differ in other characters, or come from two files.
    name = re.sub(r"[^A-Za-z0-9_]", "-", f"{next(numbers)}-{request.node.name}")[:64]
    return sandbox["url"], f"sandbox_{name}"
