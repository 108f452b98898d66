import instructor
from openai import OpenAI
from pydantic import BaseModel
from report import BASE, KEY, MESSAGES, TEXT, report

client = OpenAI(base_url=BASE + "/openai/v1", api_key=KEY)


class Reason(BaseModel):
    reason: str


def by(mode):
    def call():
        patched = instructor.from_openai(client, mode=mode)
        answer = patched.chat.completions.create(model=TEXT, messages=MESSAGES, response_model=Reason, max_retries=1)
        assert answer.reason

    return call


report(
    "instructor",
    {
        "by tools": by(instructor.Mode.TOOLS),
        "by a JSON schema": by(instructor.Mode.JSON_SCHEMA),
    },
)
