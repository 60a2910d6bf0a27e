"""Plays calls with a client made by openapi-python-client. Reads { package, baseUrl, calls } from standard input."""
import datetime
import enum
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
client = importlib.import_module(given["package"] + ".client")


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name)


def typed(annotation, value):
    """The value in one of the types that a parameter takes."""
    for kind in typing.get_args(annotation) or [annotation]:
        if hasattr(kind, "from_dict") and isinstance(value, dict):
            try:
                made = kind.from_dict(value)
            except KeyError:
                # A member that this type demands is missing.
                continue
            if made.to_dict().keys() == value.keys():
                return made
        elif kind is datetime.datetime:
            return datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        elif inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return kind(value)
    return value


def play(call):
    module = importlib.import_module(f"{given['package']}.api.{call['tag'].lower()}.{snake(call['operation'])}")
    function = module.sync_detailed
    wanted = inspect.signature(function).parameters
    arguments = {name: typed(wanted[name].annotation, value) for name, value in call["parameters"].items()}
    if call["body"] is not None:
        arguments["body"] = typed(wanted["body"].annotation, call["body"])
    token = call["token"]
    base = given["baseUrl"]
    arguments["client"] = client.Client(base_url=base) if token is None else client.AuthenticatedClient(base_url=base, token=token)
    response = function(**arguments)
    raw = json.loads(response.content) if response.content else None
    read = None if response.parsed is None else response.parsed.to_dict()
    return {"status": int(response.status_code), "raw": raw, "read": read, "thrown": None}


for call in given["calls"]:
    try:
        played = play(call)
    except Exception:
        played = {"status": 0, "raw": None, "read": None, "thrown": traceback.format_exc(limit=-3)}
    print(json.dumps({"operation": call["operation"], **played}), flush=True)
