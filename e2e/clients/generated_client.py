"""The client that openapi-python-client makes of /openapi.json, against the gateway. Prints what it got, as JSON."""

import io
import json
import os
import urllib.request

from mediagate_client import AuthenticatedClient
from mediagate_client.api.balance import get_key_balance, list_ledger
from mediagate_client.api.files import create_file, delete_file, get_file_record, list_files
from mediagate_client.api.images import create_image
from mediagate_client.api.prices import create_estimate
from mediagate_client.api.tasks import cancel_task, get_task, list_tasks
from mediagate_client.models import (
    CreateEstimateBody,
    CreateFileBody,
    Imagegen25Flare,
    Imagegen25FlareMetadata,
)
from mediagate_client.types import File

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])
stranger = AuthenticatedClient(base_url=os.environ["BASE_URL"], token="nobody")
FIELDS = {"model": "imagegen-2.5-flare", "prompt": "a lighthouse", "quality": "low"}


def refusal(detailed, **arguments):
    answer = detailed(**arguments)
    error = answer.parsed.error
    return [int(answer.status_code), type(answer.parsed).__name__, error.reason, error.request_id == answer.headers["x-request-id"]]


def file_of(data):
    return CreateFileBody(file=File(io.BytesIO(data), "a.png"))


estimate = create_estimate.sync(
    client=client, body=CreateEstimateBody.from_dict({"path": "/v1/images/generations", "body": FIELDS})
)
image = Imagegen25Flare(**FIELDS, metadata=Imagegen25FlareMetadata.from_dict({"order": "7"}))
submitted = create_image.sync(client=client, body=image, idempotency_key="python-1")
again = create_image.sync(client=client, body=image, idempotency_key="python-1")
task_id = submitted.data[0].task_id
task = get_task.sync(task_id, client=client, wait=60).data
picture = urllib.request.urlopen(task.result.images[0].url[0]).read()
file = create_file.sync(client=client, body=file_of(picture)).data
files = [each.id for each in list_files.sync(client=client).data]
of_file = create_image.sync(client=client, body=Imagegen25Flare(**FIELDS, image_urls=[file.id])).data[0].task_id
of_file = get_task.sync(of_file, client=client, wait=60).data
deleted = delete_file.sync(file.id, client=client).data
balance = get_key_balance.sync(client=client)
wrong = Imagegen25Flare(**{**FIELDS, "prompt": "", "n": 99})

print(
    json.dumps(
        {
            "estimate": [estimate.data.affordable, estimate.data.reserved > 0],
            "submitted": [submitted.data[0].status, again.data[0].task_id == task_id],
            "task": [task.status, task.metadata["order"], task.result.images[0].url[0].startswith("http"), task.cost > 0],
            "balance": [balance.success, round(balance.used_balance, 9) == round(task.cost + of_file.cost, 9), balance.held_balance],
            "ledger": [entry.kind for entry in list_ledger.sync(client=client, task_id=task_id).data],
            "file": [file.kind, file.bytes_ == len(picture), files == [file.id], of_file.status, deleted.deleted],
            "listed": [listed.id == task_id for listed in list_tasks.sync(client=client, status="completed").data],
            "refused": [
                refusal(create_image.sync_detailed, client=client, body=wrong),
                refusal(cancel_task.sync_detailed, id=task_id, client=client),
                refusal(get_task.sync_detailed, id="task_of_nobody", client=client),
                refusal(get_task.sync_detailed, id=task_id, client=stranger),
                refusal(get_file_record.sync_detailed, file=file.id, client=client),
                refusal(create_file.sync_detailed, client=client, body=file_of(b"")),
            ],
            "faults": [fault.param for fault in create_image.sync(client=client, body=wrong).error.errors],
        }
    )
)
