"""What a program does against the gateway, each call by itself."""

import json
import os
from importlib.metadata import version

BASE = os.environ["BASE_URL"]
KEY = os.environ["KEY"]
QUESTION = "Why do lighthouses blink?"
MESSAGES = [{"role": "user", "content": QUESTION}]
IMAGE = "imagegen-2.5-flare"
TEXT = "text-2.5-flash"
SPEECH = "ttsmodel-mini"


def report(package, calls):
    """Makes the calls in turn and prints those that worked, and why the others did not."""
    works, fails = [], []
    for name, call in calls.items():
        try:
            call()
            works.append(name)
        except Exception as error:
            text = str(error).split("\n")[0][:160] or type(error).__name__
            fails.append(f"{name}: {text}")
    print(json.dumps({"program": f"`{package}` {version(package)} (Python)", "works": works, "fails": fails}))
