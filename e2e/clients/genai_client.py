"""Google's own client in Python against the gateway. Prints what it got, as JSON."""

import json
import os

from google import genai
from google.genai import types

options = types.HttpOptions(base_url=os.environ["BASE_URL"] + "/gemini")
client = genai.Client(api_key=os.environ["KEY"], http_options=options)
MODEL = "text-2.5-flash"
QUESTION = "Why do lighthouses blink?"

whole = client.models.generate_content(model=MODEL, contents=QUESTION)
pieces = [piece.text or "" for piece in client.models.generate_content_stream(model=MODEL, contents=QUESTION)]

print(
    json.dumps(
        {
            "whole": "lighthouses" in whole.text,
            "usage": whole.usage_metadata.total_token_count > 0,
            "pieces": [len(pieces) > 1, "lighthouses" in "".join(pieces)],
            "tokens": client.models.count_tokens(model=MODEL, contents=QUESTION).total_tokens > 0,
        }
    )
)
