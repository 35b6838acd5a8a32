"""Reads the parts of OpenClaw's configuration that wake the agent, and reports problems in it.

`settings.py` creates the elements; this module has the facts behind them: the agent that this workspace belongs to, its
heartbeat, hooks and jobs, and the findings for the user.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.file_rules import CONFIGURATION_PATHS
from melleafy_tui.core.errors import UsageError, did_you_mean
from melleafy_tui.core.language.time.active_hours import ActiveHours, read_active_hours
from melleafy_tui.core.language.time.cadence import with_hours
from melleafy_tui.core.language.time.clock import read_interval, short_interval
from melleafy_tui.core.language.time.cron import find_cron
from melleafy_tui.core.language.time.cron import times_of as times_of_cron
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.json5 import JsonNode, parsed, syntax_findings
from melleafy_tui.core.source.state_database import STATE_DATABASES
from melleafy_tui.core.tables import table_beside

_SECOND_MS: Final = 1_000
_DEFAULT_AGENT: Final = "main"
_FOLDER: Final = "workspace"
"""The folder of the default agent, and what those of others begin with."""
_SEVERAL: Final = 2


class Agent(Struct, frozen=True):
    """One declared agent and its position."""

    agent_id: str
    name: str
    node: JsonNode
    is_default: bool
    workspace: str

    @property
    def folder(self) -> str:
        """Return the name of the folder with its workspace."""
        named = self.workspace.replace("\\", "/").rstrip("/").rpartition("/")[2]
        is_first = self.is_default or self.agent_id == _DEFAULT_AGENT
        is_name = bool(named.strip("."))  # "..", which a package would look into, is none
        return named if is_name else (_FOLDER if is_first else f"{_FOLDER}-{self.agent_id}")


class AskedBy(Struct, frozen=True):
    """How one agent may ask another: the runtime's tool for it, and the node that allows it."""

    tool: str
    node: JsonNode


def _matches(node: JsonNode, agent_id: str) -> bool:
    return fnmatchcase(agent_id.casefold(), str(node.value).strip().casefold())


def _declared_agents(root: JsonNode) -> Iterator[Agent]:
    """Yield the agents of a configuration, in the old or the new format."""
    listed, entries = root.at("agents.list"), root.at("agents.entries")
    found = [(node.text("id", "name"), node) for node in listed.items()] if listed else []
    found += entries.members() if entries else ()
    for agent_id, node in found:
        default = node.at("default")
        is_default = default is not None and default.value is True
        yield Agent(agent_id, node.text("name") or agent_id, node, is_default, node.text("workspace"))


def _own_agent(agents: Sequence[Agent], workspace: str, *, lies_beside: bool = False) -> Agent | None:
    """Return the agent of this workspace: by its folder or `workspace-<id>`, else the default, `main`, or the first.

    Args:
        agents: The declared agents.
        workspace: The name of the folder.
        lies_beside: Whether the folder lies in OpenClaw's own, so that an agent of another folder isn't this one.
    """
    for agent in agents:
        if agent.folder == workspace:
            return agent
    left = [agent for agent in agents if not agent.workspace and agent.folder == _FOLDER]
    ranked = sorted(
        left if lies_beside and len(agents) > 1 else agents,
        key=lambda agent: (not agent.is_default, agent.agent_id != _DEFAULT_AGENT),
    )
    return ranked[0] if ranked else None


def no_such_agent(agent: str, declared: Sequence[str]) -> UsageError:
    """Return the error for an agent that the configuration doesn't declare."""
    return UsageError(
        f"The configuration declares no agent {agent!r}",
        hint=f"{did_you_mean(agent, declared)} It declares {', '.join(declared)}.".lstrip()
        if declared
        else "There is no openclaw.json that declares agents.",
        location="--agent",
    )


def _integer_at(node: JsonNode, path: str) -> int | None:
    found = node.at(path)
    value = found.value if found is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


JOBS_PATHS: Final = (*STATE_DATABASES, "cron/jobs.json", "../cron/jobs.json")
"""Where the jobs are: in the database since 2026.6.1, else in the workspace or the state folder that it lies in."""

_TABLE: Final = table_beside(__file__, "configuration_keys.toml")

HEARTBEAT_DEFAULTS: Final = ("agents.defaults.heartbeat", "agent.heartbeat", "heartbeat")
"""Where to look for the heartbeat if an agent has none of its own, in order of precedence."""


class Hook(Struct, frozen=True):
    """One hook of a configuration; a mapping is a webhook."""

    name: str
    node: JsonNode
    is_mapping: bool = False

    @property
    def is_on(self) -> bool:
        """Return whether it isn't switched off."""
        return self.node.value is not False and self.node.is_enabled

    @property
    def wakes(self) -> bool:
        """Return whether it wakes the agent: webhooks and events of a message or the gateway do."""
        if self.name in _TABLE["hooks"]["housekeeping"]:
            return self.is_mapping
        waking = _TABLE["hooks"]["waking"]
        return self.is_mapping or any(event.partition(":")[0] in waking for event in events_at(self.node))


class Configuration(Struct, frozen=True):
    """A parsed configuration: its path, its root, the declared agents and the agent of this workspace.

    `is_early` says that the workspace has a HEARTBEAT.md, which ended before all agents were woken.
    """

    path: str
    root: JsonNode
    agents: tuple[Agent, ...]
    own: Agent | None
    is_early: bool = False

    def heartbeat(self, field: str) -> JsonNode | None:
        """Return a heartbeat field: the agent's own, else the default."""
        if self.own is not None:
            found = self.own.node.at(f"heartbeat.{field}")
            if found is not None:
                return found
        nodes = (self.root.at(f"{place}.{field}") for place in HEARTBEAT_DEFAULTS)
        return next((node for node in nodes if node is not None), None)

    @property
    def woken_instead(self) -> tuple[str, ...]:
        """Return who is woken in place of this agent: those with a block, early on the default agent alone."""
        if self.own is None or self.own.node.at("heartbeat") is not None:
            return ()
        named = tuple(each.agent_id for each in self.agents if each.node.at("heartbeat") is not None)
        default = _own_agent(self.agents, "")
        if named or not self.is_early or default is None or default is self.own:
            return named
        return (default.agent_id,)

    @property
    def active_hours(self) -> ActiveHours | None:
        """Return the declared window, in the user's time zone if the window says `user` or names none."""
        node = self.heartbeat("activeHours")
        return read_active_hours(node.value) if node is not None else None

    @property
    def user_timezone(self) -> JsonNode | None:
        """Return the user's time zone in the configuration, or None."""
        nodes = map(self.root.at, ("agents.defaults.userTimezone", "agent.userTimezone"))
        return next((node for node in nodes if node is not None and isinstance(node.value, str)), None)

    @property
    def is_off(self) -> bool:
        """Return whether this agent has no heartbeat: it is switched off, or others are woken in its place."""
        every = self.heartbeat("every")
        return bool(self.woken_instead) or (every is not None and read_interval(every.value) == 0)

    @property
    def wake_up(self) -> Schedule | None:
        """Return the declared wake-up with its window, or None."""
        every = self.heartbeat("every")
        if every is None or not str(every.value).strip():
            return None
        seconds = read_interval(every.value)
        is_number = isinstance(every.value, int | float) and not isinstance(every.value, bool)
        found = Schedule(
            type="interval" if seconds else "words",
            cadence=f"{every.value:g}m" if is_number else str(every.value),
            seconds=seconds,
            file=self.path,
            lines=str(every.key_line),
        )
        return self.within_hours(found)

    def within_hours(self, found: Schedule) -> Schedule:
        """Return a wake-up with the declared window and its zone."""
        hours = self.active_hours
        if hours is None:
            return found
        of_user = str(self.user_timezone.value) if self.user_timezone is not None else ""
        zone = of_user if hours.timezone in ("", "user") else hours.timezone
        return replace(with_hours(found, hours), timezone="" if zone == "local" else zone or found.timezone)

    def hooks(self) -> Iterator["Hook"]:
        """Yield every hook of the configuration."""
        hooks = self.root.at("hooks")
        if hooks is None:
            return
        for number, node in enumerate(hooks.items(), start=1):
            yield Hook(node.text("name", "id") or f"hook {number}", node, is_mapping=not events_at(node))
        for place in ("internal.entries", "entries"):
            entries = hooks.at(place)
            yield from (Hook(name, node) for name, node in entries.members()) if entries else ()
        for place in ("mappings", "internal.handlers"):
            listed = hooks.at(place)
            for number, node in enumerate(listed.items() if listed else (), start=1):
                name = node.text("id", "name", "event", "match.path") or f"mapping {number}"
                yield Hook(name, node, is_mapping=place == "mappings")

    def limits(self, agent: str = "") -> tuple[int | None, int | None]:
        """Return the budget limits that the configuration sets: per file, and in total.

        Args:
            agent: The agent's id; by default the agent that the workspace belongs to.

        Raises:
            UsageError: no such agent is declared.
        """
        named = next((each for each in self.agents if each.agent_id == agent), None)
        if agent and named is None:
            raise no_such_agent(agent, [each.agent_id for each in self.agents])
        own = named or self.own
        places = [own.node if own else None, self.root.at("agents.defaults"), self.root.at("agent")]

        def limit(name: str) -> int | None:
            found = (_integer_at(node, name) for node in places if node is not None)
            return next((number for number in found if number and number > 0), None)

        return limit("bootstrapMaxChars"), limit("bootstrapTotalMaxChars")

    def asked_agents(self) -> dict[str, tuple[AskedBy, ...]]:
        """Return how this agent may ask each other one; none unless it is said."""
        own = self.own.agent_id if self.own is not None else ""
        spawned = self.own.node.at("subagents.allowAgents") if self.own is not None else None
        spawned = spawned or self.root.at("agents.defaults.subagents.allowAgents")
        switch, sent = map(self.root.at, ("tools.agentToAgent.enabled", "tools.agentToAgent.allow"))
        lists = {"sessions_spawn": spawned.items() if spawned else ()}
        if switch and switch.value is True and sent and any(_matches(node, own) for node in sent.items()):
            lists["sessions_send"] = sent.items()
        found: dict[str, tuple[AskedBy, ...]] = {}
        for tool, nodes in lists.items():
            for node in nodes:
                known = [each.agent_id for each in self.agents if _matches(node, each.agent_id)]
                for name in known or [str(node.value)]:
                    if name not in (own, "*") and all(way.tool != tool for way in found.get(name, ())):
                        found[name] = (*found.get(name, ()), AskedBy(tool, node))
        return found

    def folder_of(self, agent_id: str) -> str:
        """Return the name of the folder with the workspace of a declared agent, or `""` if it isn't declared."""
        return next((each.folder for each in self.agents if each.agent_id == agent_id), "")


def configuration_in(file: SourceFile, snapshot: Snapshot) -> Configuration | None:
    """Return what a configuration file of a workspace holds, or None if it isn't valid."""
    root = parsed(file)
    if root is None:
        return None
    agents = tuple(_declared_agents(root))
    is_early = snapshot.file("HEARTBEAT.md") is not None
    own = _own_agent(agents, snapshot.name, lies_beside=file.path.startswith("../"))
    return Configuration(file.path, root, agents, own, is_early)


def configuration_of(snapshot: Snapshot) -> Configuration | None:
    """Return the configuration of a workspace, or None if it has no valid one."""
    files = (file for path in CONFIGURATION_PATHS if (file := snapshot.file(path)) and file.text is not None)
    file = next(files, None)
    return configuration_in(file, snapshot) if file is not None else None


class Job(Struct, frozen=True):
    """A job of cron/jobs.json: the path of the file, its node, and why it doesn't wake this agent, or `""`."""

    path: str
    node: JsonNode
    idle_because: str = ""


JOB_TEXTS: Final = ("payload.message", "payload.text", "message", "prompt", "description")
"""Keys of what a job says to the agent."""


def jobs_of(snapshot: Snapshot) -> tuple[Job, ...]:
    """Return the jobs of cron/jobs.json; those that are off, past or of another agent say so."""
    for path in JOBS_PATHS:
        root = parsed(snapshot.file(path))
        if root is not None:
            listed = root if isinstance(root.value, list) else root.at("jobs")
            nodes = [*listed.items()] if listed is not None else []
            own, default = _owner_of_jobs(snapshot, nodes)
            return tuple(Job(path, node, _idle_because(node, own, default)) for node in nodes)
    return ()


def _idle_because(job: JsonNode, own: str, default: str) -> str:
    """Return why a job doesn't wake this agent, or `""`."""
    if not job.is_enabled:
        return "switched off"
    if job.text("schedule.at"):
        return "run once"
    if job.at("payload") is not None and not job.text(*JOB_TEXTS):
        return "without a text"
    agent = job.text("agentId") or default
    return f"of the agent {agent}" if own and agent != own else ""


def _owner_of_jobs(snapshot: Snapshot, jobs: Sequence[JsonNode]) -> tuple[str, str]:
    """Return the agent of this workspace, `""` if nothing tells, and that of the jobs that name none.

    Without declared agents the folder tells: `workspace` is the default agent's, `workspace-research` is that of
    `research`; another name tells nothing, and all jobs are this agent's.
    """
    configuration = configuration_of(snapshot)
    if configuration is not None and configuration.own is not None:
        default = _own_agent(configuration.agents, "")
        return configuration.own.agent_id, default.agent_id if default is not None else ""
    named = {job.text("agentId") for job in jobs if job.is_enabled} - {""}
    folder, _, agent = snapshot.name.partition("-")
    known = agent in named or not agent
    if folder != "workspace" or (not known and len(named) < _SEVERAL):
        return "", ""
    return agent or _DEFAULT_AGENT, _DEFAULT_AGENT if known else agent


def has_jobs_file(snapshot: Snapshot) -> bool:
    """Return whether there is a jobs file."""
    return any(snapshot.file(path) is not None for path in JOBS_PATHS)


def job_schedule(job: JsonNode) -> Schedule | None:
    """Return when a job runs: its cron expression with its time zone, its interval, or its one date in words."""
    zone = job.text("schedule.tz", "tz")
    expression = job.text("schedule.expr", "schedule", "cron")
    if expression:
        cron = find_cron(expression)
        times, days = times_of_cron(cron)
        return Schedule(
            type="cron" if cron else "words",
            cadence=expression,
            cron=cron,
            timezone=zone,
            times=times,
            days=days,
        )
    every = _integer_at(job, "schedule.everyMs")
    if every is not None and every >= _SECOND_MS:
        seconds = every // _SECOND_MS
        return Schedule(type="interval", cadence=short_interval(seconds), seconds=seconds)
    date = job.text("schedule.at")
    return Schedule(type="words", cadence=date) if date else None


def configuration_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return findings about errors in the configuration, and about values that were reinterpreted."""
    paths = (*CONFIGURATION_PATHS, *JOBS_PATHS)
    findings = [finding for path in paths for finding in syntax_findings(snapshot.file(path))]
    configuration = configuration_of(snapshot)
    if configuration is not None:
        findings += _about_agents(configuration)
        findings += _about_interval(configuration)
        findings += _about_hours(configuration)
    return tuple(findings)


def events_at(node: JsonNode) -> tuple[str, ...]:
    """Return the events that a hook's entry names."""
    found = (node.at(name) for name in ("events", "event", "on"))
    values = next((each.value for each in found if each is not None), ())
    return tuple(map(str, values)) if isinstance(values, list | tuple) else (str(values),)


def key_words(part: str, key: str) -> str:
    """Return what a key of the configuration becomes here: of the `root`, or of an `agent`."""
    rows: dict[str, str] = _TABLE[part]
    return rows.get(key, rows[""])


def _about_agents(configuration: Configuration) -> Iterator[Diagnostic]:
    own = configuration.own
    if own is None:
        return
    name = own.agent_id or own.name or "without a name"
    if len(configuration.agents) > 1:
        yield diagnose(
            "several-agents",
            configuration.path,
            own.node.lines,
            count=len(configuration.agents),
            agent=name,
        )
    heartbeat = own.node.at("heartbeat")
    if heartbeat is not None and configuration.root.at(HEARTBEAT_DEFAULTS[0]) is not None:
        yield diagnose("heartbeat-overridden", configuration.path, heartbeat.lines, agent=name)


def _about_interval(configuration: Configuration) -> Iterator[Diagnostic]:
    node = configuration.heartbeat("every")
    if node is None:
        return
    seconds, shown = read_interval(node.value), str(node.value)
    if others := ", ".join(configuration.woken_instead):
        reason = f"only agents with a heartbeat of their own are woken, here {others}"
        yield diagnose("heartbeat-off", configuration.path, node.lines, reason=reason)
    elif seconds == 0:
        yield diagnose("heartbeat-off", configuration.path, node.lines, reason=f"`every: {shown}`")
    elif seconds is None:
        yield diagnose("cadence-not-understood", configuration.path, node.lines, cadence=shown)


def _about_hours(configuration: Configuration) -> Iterator[Diagnostic]:
    node, hours = configuration.heartbeat("activeHours"), configuration.active_hours
    if node is None or hours is None:
        return
    path, lines = configuration.path, node.lines
    if not hours.start:
        yield diagnose("active-hours-not-understood", path, lines, hours=hours.words)
    elif hours.never:
        yield diagnose("active-hours-never", path, lines, time=hours.start)
    elif hours.normalised:
        yield diagnose("active-hours-normalised", path, lines, hours=_as_written(node), meaning=hours.words)


def _as_written(node: JsonNode) -> str:
    if isinstance(node.value, dict):
        return "-".join(str(node.value.get(key, "")) for key in ("start", "end"))
    return str(node.value)
