from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from report import BASE, KEY, QUESTION, TEXT, report

model = ChatOpenAI(model=TEXT, base_url=BASE + "/openai/v1", api_key=KEY)


class Reason(BaseModel):
    """Why something is so."""

    reason: str


@tool
def look_up(place: str = "") -> str:
    """Looks up a place."""
    return '{"height":43}'


def text():
    assert "lighthouses" in model.invoke(QUESTION).content


def responses():
    by_responses = ChatOpenAI(model=TEXT, base_url=BASE + "/openai/v1", api_key=KEY, use_responses_api=True)
    assert "lighthouses" in str(by_responses.invoke(QUESTION).content)


def stream():
    assert sum(bool(piece.content) for piece in model.stream(QUESTION)) > 1


def agent():
    asked = {"messages": [("user", "Call the function look_up about lighthouses.")]}
    kinds = [message.type for message in create_agent(model, [look_up]).invoke(asked)["messages"]]
    assert kinds == ["human", "ai", "tool", "ai"], kinds


def structured():
    assert model.with_structured_output(Reason).invoke(QUESTION).reason


report(
    "langchain-openai",
    {"text": text, "by responses": responses, "stream": stream, "an agent with tools": agent, "structured output": structured},
)
