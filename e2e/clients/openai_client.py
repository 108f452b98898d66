"""OpenAI's own client in Python against the gateway. Prints what it got, as JSON."""

import base64
import io
import json
import os

from openai import APIStatusError, OpenAI

base_url = os.environ["BASE_URL"] + "/openai/v1"
client = OpenAI(base_url=base_url, api_key=os.environ["KEY"], max_retries=0)
IMAGE = {"model": "imagegen-2.5-flare", "prompt": "a lighthouse", "size": "1024x1024", "quality": "low"}
QUESTION = [{"role": "user", "content": "Why do lighthouses blink?"}]
LOOK = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}


def refusal(call):
    try:
        call()
    except APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code]
    return None


def by_link():
    image = client.images.generate(**IMAGE, response_format="url")
    return [image.data[0].url.startswith("http"), image.usage.total_tokens > 0]


def by_bytes():
    image = client.images.generate(**IMAGE)
    return base64.b64decode(image.data[0].b64_json)


def stream():
    chunks = list(
        client.chat.completions.create(
            model="text-2.5-flash", messages=QUESTION, stream=True, stream_options={"include_usage": True}
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    return [len(chunks) > 3, "lighthouses" in text, chunks[-1].usage.total_tokens > 0]


def tools():
    choice = client.chat.completions.create(
        model="text-2.5-flash", messages=QUESTION, tools=[LOOK], tool_choice="required"
    ).choices[0]
    return [choice.finish_reason, choice.message.tool_calls[0].function.name]


def picture_events():
    events = list(client.images.generate(**IMAGE, stream=True))
    return [events[-1].type, base64.b64decode(events[-1].b64_json)[:4].hex(), events[-1].usage.total_tokens > 0]


def response():
    whole = client.responses.create(model="text-2.5-flash", input=QUESTION, instructions="Be short.")
    return [whole.status, "lighthouses" in whole.output_text, whole.usage.total_tokens > 0]


def response_events():
    with client.responses.stream(model="text-2.5-flash", input=QUESTION) as events:
        types = [event.type for event in events]
        final = events.get_final_response()
    return [types[0], types[-1], "lighthouses" in final.output_text]


def response_tools():
    look = {"type": "function", **LOOK["function"]}
    turns = list(QUESTION)
    asked = client.responses.create(model="text-2.5-flash", input=turns, tools=[look], tool_choice="required")
    turns += asked.output
    turns += [
        {"type": "function_call_output", "call_id": item.call_id, "output": '{"seen": "a beam"}'}
        for item in asked.output
        if item.type == "function_call"
    ]
    told = client.responses.create(model="text-2.5-flash", input=turns, tools=[look])
    return [asked.output[-1].name, "a beam" in told.output_text]


picture = by_bytes()
edited = client.images.edit(model="imagegen-2.5-flare", prompt="at night", image=io.BytesIO(picture), size="1024x1024")
whole = client.chat.completions.create(model="text-2.5-flash", messages=QUESTION)
speech = client.audio.speech.create(model="ttsmodel-mini", voice="coral", input="Hello.", response_format="wav")
stranger = OpenAI(base_url=base_url, api_key="nobody", max_retries=0)

print(
    json.dumps(
        {
            "models": "text-2.5-flash" in [model.id for model in client.models.list()],
            "model": client.models.retrieve("imagegen-2").id,
            "link": by_link(),
            "png": picture[:4].hex(),
            "edit": base64.b64decode(edited.data[0].b64_json)[:4].hex(),
            "speech": speech.read()[:4].decode(),
            "chat": [whole.choices[0].finish_reason, whole.usage.total_tokens > 0],
            "stream": stream(),
            "tools": tools(),
            "events": picture_events(),
            "response": response(),
            "response_events": response_events(),
            "response_tools": response_tools(),
            "refused": [
                refusal(lambda: stranger.models.list()),
                refusal(lambda: client.chat.completions.create(model="gpt-4o", messages=QUESTION)),
                refusal(lambda: client.images.generate(**IMAGE, partial_images=1)),
                refusal(lambda: client.chat.completions.create(model="text-2.5-flash", messages=QUESTION, n=2)),
            ],
        }
    )
)
