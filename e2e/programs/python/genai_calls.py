from google import genai
from google.genai import types
from pydantic import BaseModel
from report import BASE, KEY, QUESTION, TEXT, report

client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=BASE + "/gemini"))
called = []


class Reason(BaseModel):
    reason: str


def look_up(place: str) -> dict:
    """Looks up a place."""
    called.append(place)
    return {"height": 43}


def generate(contents=QUESTION, **config):
    return client.models.generate_content(model=TEXT, contents=contents, config=config)


def stream():
    pieces = list(client.models.generate_content_stream(model=TEXT, contents=QUESTION))
    assert sum(bool(piece.text) for piece in pieces) > 1


def chat():
    talk = client.chats.create(model=TEXT)
    talk.send_message(QUESTION)
    assert talk.send_message("And at noon?").text


def functions():
    assert generate("Call the function look_up about lighthouses.", tools=[look_up]).text
    assert called


def image():
    config = types.GenerateContentConfig(
        response_modalities=["IMAGE"], image_config=types.ImageConfig(aspect_ratio="3:2", image_size="1K")
    )
    made = client.models.generate_content(model="gemini-imagefast-3.1", contents="a lighthouse", config=config)
    assert made.candidates[0].content.parts[0].inline_data.data[:4] == b"\x89PNG"


def structured():
    answer = generate(response_mime_type="application/json", response_schema=Reason)
    assert answer.parsed.reason


report(
    "google-genai",
    {
        "text": generate,
        "stream": stream,
        "chat": chat,
        "count of tokens": lambda: client.models.count_tokens(model=TEXT, contents=QUESTION),
        "automatic functions": functions,
        "structured output": structured,
        "image": image,
    },
)
