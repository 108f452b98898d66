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


picture = by_bytes()
edited = client.images.edit(model="imagegen-2.5-flare", prompt="at night", image=io.BytesIO(picture), size="1024x1024")
whole = client.chat.completions.create(model="text-2.5-flash", messages=QUESTION)
speech = client.audio.speech.create(model="ttsmodel-mini", voice="coral", input="Hello.", response_format="wav")
misled = OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["KEY"], max_retries=0)
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
            "refused": [
                refusal(lambda: stranger.models.list()),
                refusal(lambda: client.chat.completions.create(model="gpt-4o", messages=QUESTION)),
                refusal(lambda: client.images.generate(**IMAGE, stream=True)),
                refusal(lambda: misled.images.generate(**IMAGE)),
                refusal(lambda: client.chat.completions.create(model="text-2.5-flash", messages=QUESTION, n=2)),
            ],
        }
    )
)
