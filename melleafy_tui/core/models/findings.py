"""Diagnostics: problems found in the source, each with a stable code (docs/reference/findings.md)."""

from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Severity


class Diagnostic(Record, frozen=True):
    """One finding about the source.

    `code` is stable, `lines` is `""`, `"12"` or `"15-22"`. `message` says in one sentence what is wrong, `hint` what
    to do.
    """

    code: str
    severity: Severity
    file: str
    lines: str
    message: str
    hint: str

    @property
    def location(self) -> str:
        """Return `file` or `file:lines`, for messages."""
        return f"{self.file}:{self.lines}" if self.lines else self.file


class DiagnosticRow(Struct, frozen=True):
    """What one code means; `diagnose` fills in the names in braces in `message` and `hint`."""

    severity: Severity
    message: str
    hint: str


def _info(message: str, hint: str) -> DiagnosticRow:
    return DiagnosticRow(Severity.INFO, message, hint)


def _warning(message: str, hint: str) -> DiagnosticRow:
    return DiagnosticRow(Severity.WARNING, message, hint)


def _error(message: str, hint: str) -> DiagnosticRow:
    return DiagnosticRow(Severity.ERROR, message, hint)


READING: Final[dict[str, DiagnosticRow]] = {
    "unreadable-file": _error(
        "The file could not be read: {reason}.",
        "Make it readable and run again, or remove it from the workspace.",
    ),
    "unreadable-folder": _error(
        "The folder could not be listed: {reason}.",
        "Make it readable and run again; nothing in it was converted.",
    ),
    "not-a-regular-file": _warning(
        "It is a {kind}, so it was not opened.",
        "Put a regular file in its place if it belongs to the agent.",
    ),
    "file-too-large": _warning(
        "The file has {size} bytes, over the limit of {limit} a file, and was not read.",
        "Split it, or move what the agent does not need out of the workspace.",
    ),
    "workspace-too-large": _warning(
        "The file was not read, because the files before it reached the limit of {limit} bytes in all.",
        "Move what the agent does not need out of the workspace.",
    ),
    "too-many-names": _warning(
        "The workspace has more than {limit} files and folders; deeper ones were not read.",
        "Point melleafy-tui at the agent's own folder, or move other data out of it.",
    ),
    "too-deep": _warning(
        "The folder is more than {limit} levels deep, so it was not read.",
        "Move it up if it belongs to the agent.",
    ),
    "binary-file": _warning(
        "The file is binary and was not read as text.",
        "Save it as UTF-8 text if the agent needs it.",
    ),
    "undecodable-text": _warning(
        "The file is not valid {encoding}: the first bad byte is {byte} at offset {offset}.",
        "Save the file as UTF-8; until then bad bytes show as replacement characters.",
    ),
    "link-outside": _warning(
        "The link leads out of the workspace and was not followed.",
        "Copy the file into the workspace if it belongs to the agent.",
    ),
    "link-above": _warning(
        "It is a link outside of the workspace and was not followed.",
        "Put the file itself there if the agent's configuration is meant.",
    ),
    "link-broken": _warning(
        "The link leads nowhere.",
        "Restore its target or remove the link.",
    ),
    "link-loop": _warning(
        "The link leads back to a folder above it and was not followed.",
        "Remove the link.",
    ),
    "link-private": _warning(
        "The link leads to a file that is kept private and was not opened.",
        "Nothing needs to be done; credentials are never read.",
    ),
    "earlier-output": _info(
        "The folder holds a melleafy.json and was skipped as an earlier output.",
        "Nothing needs to be done; remove the melleafy.json if the folder belongs to the agent.",
    ),
    "skipped-folders": _info(
        "These folders hold {kind} and were not searched ({count}): {paths}.",
        "Nothing needs to be done; files in them that the runtime looks for or that the text names were read.",
    ),
    "search-stopped": _warning(
        "Python files from here on were not searched for a runtime, because those before have {limit} bytes.",
        "Point melleafy-tui at the agent's own folder.",
    ),
    "name-case": _warning(
        "The file was not read, because the runtime looks for `{expected}`.",
        "Rename the file to `{expected}`.",
    ),
    "name-case-read": _info(
        "The file was read as `{expected}`.",
        "Nothing needs to be done; rename it to `{expected}` to make that clear.",
    ),
    "name-case-both": _warning(
        "The file was not read, because `{expected}` is in the same folder.",
        "Merge the two files into `{expected}`.",
    ),
    "name-not-text": _warning(
        "The file was not read, because its name is not valid UTF-8.",
        "Rename it.",
    ),
    "name-is-secret": _warning(
        "It was not read, because its name holds what looks like a token.",
        "Rename it; names of files are written into the package.",
    ),
    "import-outside": _warning(
        "The import leads out of the repository and was not followed.",
        "Copy the file into the repository if it belongs to the agent.",
    ),
    "configuration-beside": _info(
        "The configuration was read from the workspace itself.",
        "Nothing needs to be done.",
    ),
    "configuration-above": _info(
        "The configuration was read from the folder above the workspace.",
        "Copy it into the workspace if this agent has another configuration.",
    ),
}

CONFIGURATION: Final[dict[str, DiagnosticRow]] = {
    "json-syntax": _error(
        "The file is not valid JSON5: {problem} (line {line}, column {column}).",
        "Correct it there; the file was ignored.",
    ),
    "heartbeat-off": _info(
        "The heartbeat is switched off (`every: {value}`).",
        "Nothing needs to be done; set an interval to convert a heartbeat.",
    ),
    "cadence-not-understood": _warning(
        'The cadence "{cadence}" was kept word for word, because it has no known form.',
        'Write an interval such as "30m" or "every weekday at 9am", or set the schedule where the package is deployed.',
    ),
    "wake-ups-disagree": _warning(
        'This line wakes the agent "{cadence}", {other} says "{chosen}"; OpenClaw obeys {other}.',
        "Correct the one that is out of date.",
    ),
    "time-zone-not-stated": _warning(
        'Clock times such as "{cadence}" name no time zone, and nothing in the workspace says which one they mean; they'
        " are read in that of the machine.",
        'Write a line such as "Timezone: Europe/Berlin" into USER.md, or set the zone where the package is deployed.',
    ),
    "job-zone-not-stated": _info(
        "Jobs such as this one name no time zone; OpenClaw runs them in that of its gateway's machine, which isn't"
        " known here.",
        "Give each a time zone, or run the package on a machine with the same one.",
    ),
    "active-hours-not-understood": _warning(
        'The active hours "{hours}" were kept word for word, because they have no known form.',
        'Write them as "09:00-18:00", or set them where the package is deployed.',
    ),
    "active-hours-normalised": _info(
        'The active hours "{hours}" were read as {meaning}.',
        "Nothing needs to be done if that is right.",
    ),
    "active-hours-never": _warning(
        "The active hours start and end at {time}, so the heartbeat never runs.",
        "Give the window an end after its start, or remove it.",
    ),
    "several-agents": _info(
        "The configuration declares {count} agents, and the settings of `{agent}` were used.",
        "Convert the other agents from their own workspaces.",
    ),
    "heartbeat-overridden": _info(
        "The heartbeat of agent `{agent}` replaces the defaults.",
        "Nothing needs to be done.",
    ),
}

CLASSIFICATION: Final[dict[str, DiagnosticRow]] = {
    "runtime-unknown": _warning(
        "No known runtime was recognised, so the files are read by general rules.",
        "Name the runtime with --source-runtime if you know it.",
    ),
    "holds-sources": _warning(
        "The folder isn't a source itself; the sources in it ({count}) are {paths}.",
        "Name one of these folders, or convert all of them with `melleafy-tui convert --all`.",
    ),
    "holds-agents": _info(
        "Other agents ({count}) have folders of their own here, which aren't converted with this one: {paths}.",
        "Convert each from its own folder, or all of them with `melleafy-tui convert --all`.",
    ),
    "dialect-broken": _warning(
        "The dialect {name} of the distribution {distribution} cannot be used: {problem}.",
        "Correct, update or remove that distribution; nothing was read with this dialect.",
    ),
    "dialect-failed": _warning(
        "The dialect for {runtime} of the distribution {distribution} failed in {place}: {problem}.",
        "Report it to the authors of that distribution; what it was asked for was left out, and a reading that "
        "failed was done by general rules.",
    ),
    "dialect-missing": _warning(
        "The source looks like {runtime}, for which there is no dialect yet, so it is read by general rules.",
        "Check the inventory with care, or name another runtime with --source-runtime.",
    ),
    "hybrid-hidden": _warning(
        "--source-runtime {runtime} hides that {others} scored about as high.",
        "Use --source-runtime hybrid --contributing-runtimes {runtime},{others} to read with both.",
    ),
    "not-of-this-runtime": _warning(
        "The file belongs to {runtime}, which does not read this source, so it is not converted.",
        "Use --source-runtime hybrid --contributing-runtimes {runtimes} to read it as well, or leave it.",
    ),
    "hybrid-many": _warning(
        "{count} runtimes contribute to this hybrid.",
        "Name the ones that matter with --contributing-runtimes.",
    ),
    "override-without-signal": _warning(
        "No signal of {runtime} was found, which --source-runtime names.",
        "Check the option; the source is read as {runtime} anyway.",
    ),
    "own-skill-mark": _info(
        "SKILL.md carries melleafy's own mark, so it was left out of the detection.",
        "Nothing needs to be done.",
    ),
    "python-syntax": _warning(
        "The Python file does not parse: {problem}.",
        "Correct it if it belongs to the agent; it was not used to detect the runtime.",
    ),
}

INVENTORY: Final[dict[str, DiagnosticRow]] = {
    "generic-code": _warning(
        "There is no dialect for {runtime} yet, so only prompts and tools were taken from this file; how the code "
        "connects them is not converted.",
        "Compare the inventory with the code, and write what is missing as rules, or write a dialect for the runtime.",
    ),
    "file-long": _warning(
        "The file has more than {limit} lines with text, so these were kept as text in pieces ({pieces}) and not read"
        " one by one.",
        "Split the file, or move what the agent does not need out of it.",
    ),
    "line-long": _warning(
        "The line has {characters} characters; orders were looked for in the first {limit} only, secrets in all of it.",
        "Break the line, or move what the agent does not need out of the file.",
    ),
    "fence-unclosed": _warning(
        "The code fence is never closed, so everything after it is read as code.",
        "Close the fence where the code ends.",
    ),
    "frontmatter-refused": _info(
        "The leading block is not frontmatter: {problem}.",
        "Quote values that hold a colon if it is meant as frontmatter; it was read as text.",
    ),
    "budget-file": _warning(
        "The file has {characters} characters, over the limit of {limit} a file ({origin}), "
        "which OpenClaw cuts off silently.",
        "Nothing is cut here; shorten the file if the agent is to behave as it did on OpenClaw.",
    ),
    "budget-total": _warning(
        "The bootstrap files have {characters} characters together, over the limit of {limit} ({origin}).",
        "Nothing is cut here; shorten the files if the agent is to behave as it did on OpenClaw.",
    ),
    "named-file-absent": _warning(
        "The text names {name}, which the workspace does not hold.",
        "Add what is missing, or change the text that names it.",
    ),
    "named-file-not-carried": _warning(
        "The text refers to {names}, which the package does not carry; its model cannot open files.",
        "Copy what every run needs into a file that is converted, or give the agent a tool that reads it.",
    ),
    "named-file-absent-state": _info(
        "The text names {name}, which the workspace does not hold; the agent may be meant to write it.",
        "Nothing needs to be done if the agent writes it.",
    ),
    "wiki-page-absent": _warning(
        "The text names the wiki page {target}, which is not in the workspace.",
        "Add the page, or change the sentence that names it.",
    ),
    "heartbeat-empty": _info(
        "The file holds nothing but headings, comments or stock text, so it declares no heartbeat.",
        "Nothing needs to be done; list what the agent should check if it should run on its own.",
    ),
    "template-text": _info(
        "Elements with stock text of OpenClaw's own templates: {count}.",
        "Keep or remove them in one step; the agent follows stock rules too, but nobody chose them.",
    ),
    "secret-found": _warning(
        "Found what looks like {kind}; its value is masked as ${variable}.",
        "Take the value out of the file and set the environment variable, or release {name} if it is not a secret.",
    ),
    "secret-kept": _warning(
        "Found {kind}; its value is masked as ${variable}.",
        "Take the value out of the file and set the environment variable; a private key can't be released.",
    ),
    "secret-released": _info(
        "{name} looks like {kind}; you released it as not a secret, so its value is shown.",
        "Take the release back if it is one after all.",
    ),
    "contradiction": _warning(
        "The rule contradicts {other}: one says always, the other never.",
        "Change one of the two; both are carried over as they stand.",
    ),
}

SKILLS: Final[dict[str, DiagnosticRow]] = {
    "skill-frontmatter-missing": _error(
        "The skill has no frontmatter: {problem}.",
        "Begin SKILL.md with a block between two lines of three hyphens that holds name and description.",
    ),
    "skill-frontmatter-loose": _warning(
        "The frontmatter is not strict YAML ({problem}); its plain fields were read line by line.",
        "Put values that hold a colon in quotes.",
    ),
    "skill-field-missing": _error(
        "The frontmatter has no {key}, which every skill must have.",
        "Add it; until then the folder's name and the text itself are used.",
    ),
    "skill-name-form": _warning(
        "The name `{name}` is not 1 to {limit} characters of a-z, 0-9 and single hyphens.",
        "Rename the skill and its folder.",
    ),
    "skill-name-folder": _warning(
        "The name `{name}` differs from the folder's, `{folder}`.",
        "Give both the same name; a runtime finds the skill by its folder.",
    ),
    "skill-field-long": _warning(
        "The {key} has {characters} characters, over the limit of {limit}.",
        "Shorten it; the whole text was converted.",
    ),
    "skill-key-unknown": _warning(
        "The frontmatter key `{key}` is not one of the standard's.",
        "Move it under metadata, or remove it; it was kept as text and not converted.",
    ),
    "skill-metadata-no-mapping": _warning(
        "The metadata is not a mapping of names to values.",
        "Write one `name: value` a line below `metadata:`.",
    ),
    "skill-long": _warning(
        "SKILL.md has {line_count} lines and about {tokens} tokens; the standard asks for {most_lines}, {most_tokens}.",
        "Move what is seldom needed into references/; nothing was cut here.",
    ),
    "skill-folder-noted": _info(
        "The folder {folder} was noted and not opened ({role}).",
        "Nothing needs to be done; convert its contents separately if the agent needs them.",
    ),
    "script-needs-modules": _warning(
        "{script} imports {modules} from the workspace, which the package doesn't hold, so its tool fails there.",
        "Copy them beside the script in the package's scripts/, or make the tool a stub.",
    ),
    "skill-script-stub": _info(
        "The script becomes a stub: {reason}.",
        "Write the function in constrained_slots.py, or give the script an entry that can be called.",
    ),
    "skill-modality-inferred": _info(
        "Agent Skills has no field for a skill's trigger; {modality} was inferred with confidence {confidence}.",
        "Choose another with --modality if that is wrong.",
    ),
    "skill-no-contract": _info(
        "The skill has no invocation contract: the standard names no inputs and no outputs.",
        "The package takes one message and gives one reply; describe inputs in SKILL.md if they matter.",
    ),
}

CLAUDE_CODE: Final[dict[str, DiagnosticRow]] = {
    "import-missing": _info(
        "The import `@{target}` names a file that does not exist.",
        "Add the file, or remove the import.",
    ),
    "import-cycle": _info(
        "The import `@{target}` leads back to a file that imports this one, and was not followed again.",
        "Nothing needs to be done; remove the import to make that clear.",
    ),
    "import-too-deep": _warning(
        "The import `@{target}` is more than {limit} imports deep, so it was not followed.",
        "Import it from a file closer to the top.",
    ),
    "local-notes-unread": _info(
        "One user's own notes were seen and not opened.",
        "Move what belongs to the agent into CLAUDE.md.",
    ),
    "settings-no-object": _warning(
        "The settings do not have the form that Claude Code reads, and were not used.",
        "Write an object with named entries there.",
    ),
    "settings-farther": _info(
        "The settings were not used, because a nearer folder has settings of its own.",
        "Nothing needs to be done; copy what should apply into the nearer settings.",
    ),
    "permission-no-rule": _warning(
        "The entry of permissions.{list} is not a permission rule: {rule}.",
        "Write a tool, or a tool with a pattern such as `Bash(npm run *)`.",
    ),
    "permission-ineffective": _info(
        "Claude Code consults only Read and Edit rules for paths, so it never looks at `{rule}`; the package does.",
        "Write it as a Read or an Edit rule.",
    ),
    "mode-bypass": _warning(
        "The settings let Claude Code act without asking; the package keeps its deny and ask rules anyway.",
        "Nothing needs to be done; check which tools the package is given.",
    ),
    "spec-chosen": _info(
        "This {kind} is what was converted.",
        "Name another file of the workspace to convert it instead.",
    ),
    "spec-unnamed": _warning(
        "The workspace has {count} skills, commands or subagents and no CLAUDE.md, so none of them was converted.",
        "Name the file to convert.",
    ),
    "skills-elsewhere": _warning(
        "{skills} in folders that Claude Code doesn't load for this project: {paths}.",
        "Name a skill's folder to convert it.",
    ),
    "shell-context": _info(
        "The text runs a command before the model reads it; the command was kept as text and never run.",
        "Pass what the command would print in the message.",
    ),
}

DIAGNOSTICS: Final[dict[str, DiagnosticRow]] = {
    **READING,
    **CONFIGURATION,
    **CLASSIFICATION,
    **INVENTORY,
    **SKILLS,
    **CLAUDE_CODE,
}
"""All diagnostic codes; each step's codes are in one of the tables above."""


def diagnose(code: str, file: str, lines: str = "", **values: str | int | float) -> Diagnostic:
    """Return the diagnostic for a code.

    Args:
        code: A key of DIAGNOSTICS.
        file: The file it is about, relative to the workspace; `""` for the whole workspace.
        lines: `""`, `"12"` or `"15-22"`.
        values: Values for the names in braces in the row's message and hint.

    Raises:
        KeyError: the code has no row, or a value is missing; both are bugs.
    """
    row = DIAGNOSTICS[code]
    return Diagnostic(
        code, row.severity, file, lines, row.message.format(**values), row.hint.format(**values)
    )
