import io

import litellm
from report import BASE, IMAGE, KEY, MESSAGES, SPEECH, TEXT, report

GATEWAY = {"api_base": BASE + "/openai/v1", "api_key": KEY}
LOOK_UP = {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}


def completion(**fields):
    return litellm.completion(model="openai/" + TEXT, messages=MESSAGES, **GATEWAY, **fields)


def stream():
    assert len(list(completion(stream=True))) > 1


def tools():
    message = completion(tools=[LOOK_UP], tool_choice="required").choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": '{"height":43}'} for call in message.tool_calls]
    messages = [*MESSAGES, message, *results]
    second = litellm.completion(model="openai/" + TEXT, messages=messages, tools=[LOOK_UP], **GATEWAY)
    assert second.choices[0].finish_reason == "stop"


def of_gemini():
    fields = {"api_base": f"{BASE}/gemini/v1beta", "api_key": KEY}
    answer = litellm.completion(model="gemini/" + TEXT, messages=MESSAGES, **fields)
    assert "lighthouses" in answer.choices[0].message.content


def response():
    answer = litellm.responses(model="openai/" + TEXT, input=MESSAGES[0]["content"], **GATEWAY)
    assert "lighthouses" in str(answer.output)


def image():
    assert litellm.image_generation(model="openai/" + IMAGE, prompt="a lighthouse", **GATEWAY).data[0].b64_json


def edit():
    import base64

    image = litellm.image_generation(model="openai/" + IMAGE, prompt="a lighthouse", **GATEWAY).data[0].b64_json
    file = io.BytesIO(base64.b64decode(image))
    file.name = "a.png"
    assert litellm.image_edit(model="openai/" + IMAGE, prompt="at night", image=file, **GATEWAY).data[0].b64_json


def speech():
    assert len(litellm.speech(model="openai/" + SPEECH, voice="coral", input="Hello.", **GATEWAY).content) > 1000


report(
    "litellm",
    {
        "completion": completion,
        "stream": stream,
        "tools over two turns": tools,
        "completion as of Gemini": of_gemini,
        "responses": response,
        "image": image,
        "image edit": edit,
        "speech": speech,
    },
)
