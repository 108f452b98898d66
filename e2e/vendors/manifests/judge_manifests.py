"""Prints as JSON what the C2PA project's reader says of each file of a folder, by its name."""

import json
import pathlib
import sys

import c2pa


def judge(path):
    report = json.loads(c2pa.Reader(str(path)).json())
    active = report["manifests"][report["active_manifest"]]
    failures = report["validation_results"]["activeManifest"]["failure"]
    actions = [assertion["data"]["actions"] for assertion in active["assertions"] if assertion["label"] == "c2pa.actions.v2"]
    ingredients = active.get("ingredients", [])
    parents = [
        [ingredient["relationship"], report["manifests"][ingredient["active_manifest"]]["claim_generator_info"][0]["name"]]
        for ingredient in ingredients
        if "active_manifest" in ingredient
    ]
    inputs = [
        [ingredient["relationship"], ingredient.get("title"), ingredient.get("format"), ingredient.get("instance_id")]
        for ingredient in ingredients
        if "active_manifest" not in ingredient
    ]
    return {
        "state": report["validation_state"],
        "failures": sorted({failure["code"] for failure in failures}),
        "generator": active["claim_generator_info"][0]["name"],
        "algorithm": active["signature_info"]["alg"],
        "actions": [[action["action"], action.get("digitalSourceType", "").split("/")[-1]] for action in actions[0]],
        "tasks": [assertion["data"]["id"] for assertion in active["assertions"] if assertion["label"] == "mediagate.task"],
        "parents": parents,
        "inputs": inputs,
    }


def judged(path):
    try:
        return judge(path)
    except c2pa.C2paError as error:
        return {"error": str(error)}


folder = pathlib.Path(sys.argv[1])
print(json.dumps({path.name: judged(path) for path in sorted(folder.iterdir())}))
