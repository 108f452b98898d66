"""The client that openapi-python-client makes of /openapi.json."""

import io
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from report import BASE, IMAGE, KEY, report

FOLDER = tempfile.TemporaryDirectory()
CONFIG = Path(__file__).parents[2] / "clients" / "generator.yaml"
FIELDS = {"model": IMAGE, "prompt": "a lighthouse", "quality": "low"}
made = {}


def generate():
    """Anything in the document that the generator cannot read is a fault."""
    program = Path(sys.executable).with_name("openapi-python-client")
    options = ["--url", f"{BASE}/openapi.json", "--config", CONFIG, "--output-path", FOLDER.name]
    subprocess.run([program, "generate", *options, "--overwrite", "--fail-on-warning"], check=True, capture_output=True)
    sys.path.insert(0, FOLDER.name)


def client(token=KEY):
    from mediagate_client import AuthenticatedClient

    return AuthenticatedClient(base_url=BASE, token=token)


def image(**fields):
    from mediagate_client.models import Imagegen25Flare

    return Imagegen25Flare(**{**FIELDS, **fields})


def ended(answer):
    from mediagate_client.api.tasks import get_task

    return get_task.sync(answer.data[0].task_id, client=client(), wait=55).data


def file_of(data):
    from mediagate_client.models import CreateFileBody
    from mediagate_client.types import File

    return CreateFileBody(file=File(io.BytesIO(data), "a.png"))


def price():
    from mediagate_client.api.prices import create_estimate
    from mediagate_client.models import CreateEstimateBody

    body = CreateEstimateBody.from_dict({"path": "/v1/images/generations", "body": FIELDS})
    estimate = create_estimate.sync(client=client(), body=body).data
    assert estimate.affordable and estimate.reserved > 0


def task():
    from mediagate_client.api.images import create_image
    from mediagate_client.api.tasks import list_tasks
    from mediagate_client.models import Imagegen25FlareMetadata

    body = image(metadata=Imagegen25FlareMetadata.from_dict({"order": "7"}))
    first, again = [create_image.sync(client=client(), body=body, idempotency_key="python-1") for _ in range(2)]
    assert first.data[0].status == "submitted" and again.data[0].task_id == first.data[0].task_id
    record = ended(first)
    assert record.status == "completed" and record.metadata["order"] == "7" and record.cost > 0
    made.update(task=record, picture=urllib.request.urlopen(record.result.images[0].url[0]).read())
    assert record.id in [each.id for each in list_tasks.sync(client=client(), status="completed").data]


def file():
    from mediagate_client.api.files import create_file, delete_file, list_files
    from mediagate_client.api.images import create_image

    sent = create_file.sync(client=client(), body=file_of(made["picture"])).data
    assert sent.kind == "image" and sent.bytes_ == len(made["picture"])
    assert sent.id in [each.id for each in list_files.sync(client=client()).data]
    assert ended(create_image.sync(client=client(), body=image(image_urls=[sent.id]))).status == "completed"
    assert delete_file.sync(sent.id, client=client()).data.deleted
    made.update(file=sent.id)


def money():
    from mediagate_client.api.balance import get_key_balance, list_ledger

    entries = list_ledger.sync(client=client(), task_id=made["task"].id).data
    assert [entry.kind for entry in entries] == ["settle", "hold"]
    balance = get_key_balance.sync(client=client())
    assert balance.success and balance.used_balance >= made["task"].cost


def refused():
    from mediagate_client.api.files import create_file, get_file_record
    from mediagate_client.api.images import create_image
    from mediagate_client.api.tasks import cancel_task, get_task

    wrong = image(prompt="", n=99)
    calls = [
        (create_image, {"body": wrong}, (400, "Error400", "missing_parameter")),
        (cancel_task, {"id": made["task"].id}, (409, "Error409", "not_cancellable")),
        (get_task, {"id": "task_of_nobody"}, (404, "Error404", "not_found")),
        (get_task, {"id": made["task"].id, "client": client("nobody")}, (401, "Error401", "unauthenticated")),
        (get_file_record, {"file": made["file"]}, (404, "Error404", "not_found")),
        (create_file, {"body": file_of(b"")}, (400, "Error400", "bad_media")),
    ]
    for operation, arguments, expected in calls:
        answer = operation.sync_detailed(**{"client": client(), **arguments})
        error = answer.parsed.error
        assert (int(answer.status_code), type(answer.parsed).__name__, error.reason) == expected, expected
        assert error.request_id == answer.headers["x-request-id"]
    errors = create_image.sync(client=client(), body=wrong).error.errors
    assert [fault.param for fault in errors] == ["prompt", "n"]


report(
    "openapi-python-client",
    {
        "a client without warnings": generate,
        "a price": price,
        "a task": task,
        "a file": file,
        "balance and ledger": money,
        "errors as its own classes": refused,
    },
)
