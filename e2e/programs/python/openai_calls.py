import base64
import io
import json
import urllib.request

from openai import APIStatusError, OpenAI
from pydantic import BaseModel
from report import BASE, IMAGE, KEY, MESSAGES, SPEECH, TEXT, report

client = OpenAI(base_url=BASE + "/openai/v1", api_key=KEY)
LOOK_UP = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}


class Reason(BaseModel):
    reason: str


def chat(**fields):
    return client.chat.completions.create(model=TEXT, messages=MESSAGES, **fields)


def stream():
    with client.chat.completions.stream(model=TEXT, messages=MESSAGES) as events:
        assert sum(event.type == "content.delta" for event in events) > 1


def tools():
    message = chat(tools=[LOOK_UP], tool_choice="required").choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": '{"height":43}'} for call in message.tool_calls]
    second = client.chat.completions.create(model=TEXT, messages=[*MESSAGES, message, *results], tools=[LOOK_UP])
    assert second.choices[0].finish_reason == "stop"


def structured():
    answer = client.chat.completions.parse(model=TEXT, messages=MESSAGES, response_format=Reason)
    assert answer.choices[0].message.parsed.reason


def made():
    return base64.b64decode(client.images.generate(model=IMAGE, prompt="a lighthouse").data[0].b64_json)


def image():
    assert made()[:4] == b"\x89PNG"


def edit():
    edited = client.images.edit(model=IMAGE, prompt="at night", image=io.BytesIO(made()))
    assert base64.b64decode(edited.data[0].b64_json)[:4] == b"\x89PNG"


def image_events():
    events = list(client.images.generate(model=IMAGE, prompt="a lighthouse", stream=True))
    assert events[-1].type == "image_generation.completed"
    assert base64.b64decode(events[-1].b64_json)[:4] == b"\x89PNG"


def tasks():
    asked = urllib.request.Request(BASE + "/v1/tasks?family=image&limit=100", headers={"authorization": "Bearer " + KEY})
    return len(json.load(urllib.request.urlopen(asked))["data"])


def repeated():
    """The client gives up waiting and repeats the request by itself: one task is made, and its image arrives."""
    before = tasks()
    hasty = client.with_options(timeout=2, max_retries=3)
    image = hasty.images.generate(model=IMAGE, prompt="a lighthouse that takes its time [[sim:latency=4s]]")
    assert base64.b64decode(image.data[0].b64_json)[:4] == b"\x89PNG"
    assert tasks() == before + 1, tasks() - before


def response():
    whole = client.responses.create(model=TEXT, input=MESSAGES, instructions="Be short.")
    assert "lighthouses" in whole.output_text
    assert whole.usage.total_tokens > 0


def response_stream():
    with client.responses.stream(model=TEXT, input=MESSAGES) as events:
        types = [event.type for event in events]
    assert [types[0], types[-1]] == ["response.created", "response.completed"]


def response_tools():
    look = {"type": "function", **LOOK_UP["function"]}
    asked = client.responses.create(model=TEXT, input=MESSAGES, tools=[look], tool_choice="required")
    results = [
        {"type": "function_call_output", "call_id": item.call_id, "output": '{"seen": "a beam"}'}
        for item in asked.output
        if item.type == "function_call"
    ]
    told = client.responses.create(model=TEXT, input=[*MESSAGES, *asked.output, *results], tools=[look])
    assert "a beam" in told.output_text


def speech():
    with client.audio.speech.with_streaming_response.create(model=SPEECH, voice="coral", input="Hello.") as answer:
        assert answer.headers["content-type"] == "audio/mpeg"
        assert sum(len(piece) for piece in answer.iter_bytes()) > 1000


def refusal(call):
    try:
        call()
    except APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code]
    return None


def refused():
    assert [
        refusal(client.with_options(api_key="nobody").models.list),
        refusal(lambda: client.chat.completions.create(model="gpt-4o", messages=MESSAGES)),
        refusal(lambda: client.images.generate(model=IMAGE, prompt="a lighthouse", partial_images=1)),
        refusal(lambda: chat(n=2)),
    ] == [
        ["AuthenticationError", 401, "invalid_api_key"],
        ["NotFoundError", 404, "model_not_found"],
        ["BadRequestError", 400, "unsupported_parameter"],
        ["BadRequestError", 400, "invalid_parameter"],
    ]


def link():
    image = client.images.generate(model=IMAGE, prompt="a lighthouse", response_format="url")
    assert image.data[0].url.startswith("http")
    assert image.usage.total_tokens > 0


report(
    "openai",
    {
        "models": lambda: client.models.retrieve(TEXT),
        "chat": chat,
        "stream": stream,
        "tools over two turns": tools,
        "structured output": structured,
        "image": image,
        "image by its link": link,
        "image as events": image_events,
        "image edit": edit,
        "a wait that is given up and repeated": repeated,
        "responses": response,
        "responses as a stream": response_stream,
        "responses with tools over two turns": response_tools,
        "speech": speech,
        "errors as its own classes": refused,
    },
)
