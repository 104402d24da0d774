"""The message by which Home Assistant discovers the table (`device_message`), in the format of its MQTT discovery: it
describes the table as one device with all its entities, named in the table's language. Also the access list for a
broker that carries the table's messages. `bridge.publisher` publishes the message, and `taptable bridge` prints the
access list. Pure; must not know how a message is sent or received."""

from __future__ import annotations

from typing import Any

from taptable.bridge.commands import COMMANDS
from taptable.bridge.messages import EVENTS, TableState, name_of
from taptable.bridge.topics import TableTopics
from taptable.words import Words

MAX_TEAMS = 6
"""The number of teams in the message, the most that any game has. For a team that the present game doesn't have, the
message removes the entity, which an earlier game may have had."""
HOME_ASSISTANT = "homeassistant"
"""The name of Home Assistant's account at the broker, in the access list."""

Json = dict[str, Any]

_NO_TEAM, _NO_BUTTON = {"platform": "sensor"}, {"platform": "button"}
"""The components for a team or a button that doesn't exist now. A component with nothing but a platform makes Home
Assistant remove the entity that an earlier message described."""

_ICONS = {
    "hacker": "mdi:skull-outline",
    "patrol": "mdi:shield-check",
    "refusal": "mdi:cancel",
    "game-over": "mdi:trophy",
}
"""The icon of each event in `messages.EVENTS`, by its name."""


def discovery_topic(prefix: str, topics: TableTopics) -> str:
    """Return the topic of the discovery message, which is retained."""
    return f"{prefix}/device/{topics.device}/config"


def birth_topic(prefix: str) -> str:
    """Return the topic at which Home Assistant announces that it has started."""
    return f"{prefix}/status"


def access_list(topics: TableTopics, prefix: str, user: str) -> str:
    """Return an access list for the broker Mosquitto, which forbids every topic that the list doesn't name.

    The account `user`, which is the bridge's, may publish the table's messages, read back the retained ones, and read
    commands to the table. The account `HOME_ASSISTANT` may read all messages below the base topic and send commands.
    `prefix` is that of discovery: the bridge may publish the discovery message there and read Home Assistant's birth
    message, and Home Assistant may read and write all below it. If `prefix` is "", there is no discovery."""
    lines = [
        f"user {user}",
        f"topic readwrite {topics.online}",
        f"topic readwrite {topics.state}",
        f"topic write {topics.event}",
        f"topic read {topics.command}",
    ]
    home_assistant_lines = [f"topic read {topics.base}/#", f"topic write {topics.command}"]
    if prefix:
        lines += [f"topic write {discovery_topic(prefix, topics)}", f"topic read {birth_topic(prefix)}"]
        home_assistant_lines.append(f"topic readwrite {prefix}/#")
    return "\n".join([*lines, "", f"user {HOME_ASSISTANT}", *home_assistant_lines, ""])


def device_message(topics: TableTopics, state: TableState, words: Words, version: str, *, commands: bool) -> Json:
    """Return the discovery message for the current teams, with buttons if `commands` are allowed. Teams and buttons
    that don't exist now are removed, as an earlier message may have described them."""
    components = {
        "game": _sensor("{{ value_json.title }}", topics, icon="mdi:cards-playing", **_attributes(topics)),
        "turn": _sensor("{{ value_json.on_turn }}", topics, icon="mdi:account-arrow-right"),
        "phase": _sensor("{{ value_json.now }}", topics, icon="mdi:text"),
        "window": {
            "platform": "binary_sensor",
            "state_topic": topics.state,
            "value_template": "{{ 'ON' if value_json.window else 'OFF' }}",
            "icon": "mdi:timer-sand",
        },
        "window-ends": _sensor(
            "{{ value_json.window.ends if value_json.window else None }}",
            topics,
            device_class="timestamp",
        ),
        "time-ends": _sensor(
            "{{ value_json.time.ends if value_json.time else None }}",
            topics,
            device_class="timestamp",
        ),
        "faults": {
            "platform": "binary_sensor",
            "state_topic": topics.state,
            "value_template": "{{ 'ON' if value_json.faults else 'OFF' }}",
            "device_class": "problem",
            "entity_category": "diagnostic",
            "json_attributes_topic": topics.state,
            "json_attributes_template": "{{ {'faults': value_json.faults} | tojson }}",
        },
        **{f"team-{number + 1}": _team(number, topics, state) for number in range(MAX_TEAMS)},
        **{name_of(kind): _event(name_of(kind), kind.kinds, topics) for kind in EVENTS},
        **{word: _button(word, topics) if commands else dict(_NO_BUTTON) for word in COMMANDS},
    }
    for name, component in components.items():
        if len(component) > 1:
            component["name"] = _entity_name(name, words)
            component["unique_id"] = f"{topics.device}-{name}"
            component["default_entity_id"] = entity_id(topics, name, component["platform"])
    return {
        "device": {
            "identifiers": [topics.device],
            "name": state.table,
            "manufacturer": "taptable",
            "model": "taptable",
            "sw_version": version,
        },
        "origin": {"name": "taptable", "sw_version": version},
        "components": components,
        "availability": [{"topic": topics.online}],
        "qos": 1,
    }


def entity_id(topics: TableTopics, name: str, platform: str) -> str:
    """Return the id by which automations name an entity: the same in every language, unless the user has renamed it."""
    return f"{platform}.{topics.device}_{name}".replace("-", "_")


def _entity_name(name: str, words: Words) -> str:
    """Return an entity's name in the table's language. Names of teams end with a number: ``team-2``."""
    kind, _, number = name.rpartition("-")
    return words.text("entity", kind, {"number": number}) if number.isdigit() else words.text("entity", name)


def _sensor(template: str, topics: TableTopics, **more: str) -> Json:
    return {"platform": "sensor", "state_topic": topics.state, "value_template": template, **more}


def _attributes(topics: TableTopics) -> Json:
    return {
        "json_attributes_topic": topics.state,
        "json_attributes_template": "{{ value_json | tojson }}",
    }


def _team(number: int, topics: TableTopics, state: TableState) -> Json:
    if number >= len(state.teams):
        return dict(_NO_TEAM)
    more = {"unit_of_measurement": state.unit, "state_class": "measurement", "icon": "mdi:account-group"}
    if state.unit == "MB":
        more["device_class"] = "data_size"
    return _sensor(f"{{{{ value_json.teams[{number}].score }}}}", topics, **more)


def _event(name: str, kinds: tuple[str, ...], topics: TableTopics) -> Json:
    return {
        "platform": "event",
        "state_topic": topics.event,
        "event_types": list(kinds),
        "value_template": f"{{{{ value if value_json.event == '{name}' else '' }}}}",
        "icon": _ICONS[name],
    }


def _button(word: str, topics: TableTopics) -> Json:
    return {
        "platform": "button",
        "command_topic": topics.command,
        "payload_press": word,
        "icon": f"mdi:{'play' if word == 'resume' else word}",
    }
