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
picture = client.models.generate_content(
    model="gemini-imagefast-3.1",
    contents="a lighthouse",
    config=types.GenerateContentConfig(
        response_modalities=["IMAGE"], image_config=types.ImageConfig(aspect_ratio="3:2", image_size="1K")
    ),
)
image = picture.candidates[0].content.parts[0].inline_data

print(
    json.dumps(
        {
            "whole": "lighthouses" in whole.text,
            "usage": whole.usage_metadata.total_token_count > 0,
            "pieces": [len(pieces) > 1, "lighthouses" in "".join(pieces)],
            "image": [image.mime_type, image.data[:4].hex()],
            "tokens": client.models.count_tokens(model=MODEL, contents=QUESTION).total_tokens > 0,
        }
    )
)
