"""Plays calls with a Python client made by openapi-generator. Reads { package, baseUrl, calls } from standard input."""
import importlib
import inspect
import json
import pkgutil
import re
import sys
import traceback
import typing

given = json.load(sys.stdin)
package = importlib.import_module(given["package"])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def play(call):
    configuration = package.Configuration(host=given["baseUrl"], access_token=call["token"])
    api = getattr(package, call["tag"] + "Api")(package.ApiClient(configuration))
    function = getattr(api, snake(call["operation"]) + "_with_http_info")
    arguments = dict(call["parameters"])
    if call["body"] is not None:
        for name, parameter in inspect.signature(function).parameters.items():
            kinds = [kind for kind in (typing.get_args(parameter.annotation) or [parameter.annotation]) if hasattr(kind, "from_dict")]
            if kinds:
                arguments[name] = kinds[0].from_dict(call["body"])
    try:
        response = function(**arguments)
        status, raw, data = response.status_code, response.raw_data, response.data
    except package.ApiException as error:
        status, raw, data = error.status, error.body, error.data
    read = None if data is None else json.loads(data.to_json()) if hasattr(data, "to_json") else data
    return {"status": status, "raw": json.loads(raw) if raw else None, "read": read, "thrown": None}


for call in given["calls"]:
    try:
        played = play(call)
    except Exception:
        played = {"status": 0, "raw": None, "read": None, "thrown": traceback.format_exc(limit=-3)}
    print(json.dumps({"operation": call["operation"], **played}), flush=True)
