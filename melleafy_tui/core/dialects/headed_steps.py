"""Reads headings that are plainly steps as a procedure: what each step does, reads and returns, and where a run ends.

The default is no: headings without consecutive numbers, two such rows in one document, or steps below a heading about
setting up or examples leave the document the prompt of one call. A model is asked for what is plainly its own work on
what it is given, and for what tools of the source can do; the result of all else is an input of the run. A step of
which nobody can say who does it is taken together with the one before it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import dropwhile, pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.headed_parts import (
    ASKING_TOOL,
    Known,
    Part,
    Work,
    after,
    alternative_parts,
    choice_of,
    class_of,
    fields_of,
    goes_back,
    headed_parts,
    is_outside,
    listed,
    listed_parts,
    nouns_of,
    repeated_for,
    split_call,
    stops_a_run,
    words_in,
    work_of,
)
from melleafy_tui.core.dialects.step_elements import RESERVED
from melleafy_tui.core.models.facts import ArgumentFact, Facts, StepFact, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure, Returned, Step
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.package.naming import ascii_words, python_identifier
from melleafy_tui.core.package.result_schemas import SchemaField, declares_fields, report_schemas
from melleafy_tui.core.package.script_calls import script_call
from melleafy_tui.core.source.segments import cut_segments

Ordered = tuple[tuple[Element, ...], Procedure | None, tuple[Diagnostic, ...]]
_QUOTED: Final = re.compile(r"[`\"“']([\w .-]{1,40})[`\"”']")
_MOST_PAGES: Final = 40_000
"""The most characters of documents that a step is given; a small model has no room for more."""


def with_steps(file: SourceFile, elements: Sequence[Element], snapshot: Snapshot) -> Ordered:
    """Return the elements of a spec and its folder, those of steps with their facts, the procedure, and what is said.

    Args:
        file: The spec.
        elements: The elements of the spec and of the files beside it.
        snapshot: The workspace.
    """
    segments = cut_segments(file)
    reader = _StepReader(file, elements, snapshot)
    parts, why = headed_parts(segments, len(file.lines))
    if parts:
        return reader.read(parts)
    if alternatives := alternative_parts(segments, len(file.lines)):
        return reader.read_alternatives(alternatives)
    why = why and f"{why}, and nothing says which is taken"
    said = (diagnose("steps-unsure", file.path, why=why),) if why else ()
    groups = [*reader.together(listed_parts(segments))]
    if all(len(group.part.numbers) == 1 and group.work is not Work.UNSURE for group in groups):
        held, procedure, _ = reader.read_groups(groups)
        does = [step.does for step in procedure.steps] if procedure is not None else []
        work = [*dropwhile(Does.WAIT.__eq__, does)]
        # only if inputs come first and then work is a numbered list surely the steps of a run
        if len(work) > 1 and Does.WAIT not in work:
            return held, procedure, said
    return tuple(elements), None, said


class _Group(Struct, frozen=True):
    """Parts that are one step, and who does it; `unsure` are the titles of those of which nobody can say."""

    part: Part
    work: Work
    unsure: tuple[str, ...] = ()


class _StepReader:
    """Makes the steps of one document.

    Args:
        file: The spec.
        elements: The elements of the spec and of the files beside it.
        snapshot: The workspace.
    """

    def __init__(self, file: SourceFile, elements: Sequence[Element], snapshot: Snapshot) -> None:
        self._file, self._snapshot = file, snapshot
        self._given, self._elements = tuple(elements), list(elements)
        self._names = set(RESERVED)
        self._fields: dict[str, str] = {}
        """The step that returns a field, as `step.field`, by the name of the field."""
        folder = file.path.rpartition("/")[0]
        self._folder = f"{folder}/" if folder else ""
        self._pages: dict[str, str] = {}
        """The name under which steps get a document, by its path."""
        self._steps: list[Step] = []
        self._title = next((each.words for each in cut_segments(file) if each.kind == "heading"), "")
        self._known = Known(frozenset(words_in(f"{self._title} {snapshot.name}")))
        self._is_choice = False
        """Each part is an alternative to the others, so that none is given what another gave."""
        self._loaded: list[str] = []
        """The documents that steps of their own only order to read."""
        self._lists: dict[str, Step] = {}
        """The steps that return a list, since a later one is repeated over it."""
        self._stopping: dict[str, Sequence[str]] = {}
        """The sentences that end the run, by the step behind which they do."""

    def read_alternatives(self, parts: Sequence[Part]) -> Ordered:
        """Return the elements with the steps of which one is chosen, and the procedure."""
        self._is_choice = True
        self._steps.append(self._choice(parts))
        works = [self._work_of(part) for part in parts]
        minds = [Work.MIND if work in (Work.UNSURE, Work.LOOK) else work for work in works]
        return self.read_groups([*map(_Group, parts, minds)])

    def read(self, parts: Sequence[Part]) -> Ordered:
        """Return the elements with their steps, the procedure, and what is said of it."""
        groups = [*self.together(parts)]
        unsure = [title for group in groups for title in group.unsure]
        taken = sum(group.work is not Work.LOOK for group in groups) > 1
        if not taken or any(group.work is Work.UNSURE for group in groups):
            outside = [group.part.title for group in groups if group.work in (Work.WORLD, Work.PERSON)]
            undone = f", and no function here does {_quoted(outside)}" if outside else ""
            return self._given, None, self._unsure(parts, unsure, f"the document stays one prompt{undone}")
        elements, procedure, said = self.read_groups(groups)
        kept = "the document stays one prompt" if procedure is None else "each is taken with its neighbour"
        return elements, procedure, (*said, *self._unsure(parts, unsure, kept))

    def _unsure(self, parts: Sequence[Part], unsure: Sequence[str], kept: str) -> tuple[Diagnostic, ...]:
        if not unsure:
            return ()
        why = f"{len(parts)} steps were found, and nothing says who can do {_quoted(unsure)}: {kept}"
        line = next(part.first for part in parts if part.title == unsure[0])
        return (diagnose("steps-unsure", self._file.path, str(line), why=why),)

    def together(self, parts: Sequence[Part]) -> Iterator[_Group]:
        """Yield the parts as steps: one of which nobody can say who does it goes with the one before it.

        A step that goes on with another than the next is one with all up to that, since no rails can be laid there;
        nobody can do it if somebody outside the model takes one of them.
        """
        works: list[Work] = []
        known = self._known
        for part in parts:
            works.append(self._work_of(part))
            prints = (field for each in part.sentences for field in listed(after(each, "prints")))
            names = (field.name.replace("_", " ") for field in (*fields_of(part), *prints))
            self._known = self._known.adding((nouns_of(part.title), *names))
        self._known = known
        joined = {place or 1 for place, work in enumerate(works) if work is Work.UNSURE}
        jumps: set[int] = set()
        for place, part in enumerate(parts):
            if (number := goes_back(part)) is not None:
                to = next((at for at, each in enumerate(parts) if number and number in each.numbers), 0)
                jumps |= {*range(min(place, to), max(place, to) + 1)}
                joined |= {*range(min(place, to) + 1, max(place, to) + 1)}
        starts = [place for place in range(len(parts)) if place not in joined]
        for start, end in pairwise((*starts, len(parts))):
            part = reduce(Part.with_next, parts[start:end])
            sure = [work for work in works[start:end] if work is not Work.UNSURE]
            work, unclear = next(iter(sure), Work.UNSURE), {Work.UNSURE}
            if sure and not jumps.isdisjoint(range(start, end)):
                outside = {Work.PERSON} if self._tools_in(part) else {Work.WORLD, Work.PERSON}
                work = Work.MIND
                if not outside.isdisjoint(sure):
                    work, unclear = Work.UNSURE, {*unclear, *outside}
            pairs = zip(parts[start:end], works[start:end], strict=True)
            yield _Group(part, work, tuple(each.title for each, of_it in pairs if of_it in unclear))

    def read_groups(self, groups: Sequence[_Group]) -> Ordered:
        """Return the elements with their steps, the procedure, and the tools that no step offers."""
        spans: dict[str, Part] = {}
        for group in groups:
            part = group.part
            if group.work is Work.LOOK:  # the steps behind it are given the documents that it orders to read
                self._loaded += self._pages_in(part)
                continue
            made = list(self._steps_of(group))
            worded = next((each for each in made if each.asks), made[-1])
            spans[worded.step_id] = part
            self._steps += made
            names = (each.name.replace("_", " ") for step in made for each in step.returns)
            self._known = self._known.adding((nouns_of(part.title), *names))
        asking = [step for step in self._steps if step.asks]
        if not asking:
            return self._given, None, ()  # nothing of it is a model's work
        last = self._with_form(asking[-1])
        typed = {**self._lists, last.step_id: last}
        steps = [typed.get(step.step_id, step) for step in self._steps]
        linked = self._chosen(steps) if self._is_choice else self._linked(steps)
        elements = tuple(self._with_steps(spans, has_form=last is not asking[-1]))
        arguments = any(ArgumentFact in each.facts for each in elements)
        pages = {name: path for path, name in self._pages.items()}
        ordered = Procedure(self._title, tuple(linked), takes_message=not arguments, pages=pages)
        return elements, ordered, tuple(self._unoffered(ordered))

    def _unoffered(self, procedure: Procedure) -> Iterator[Diagnostic]:
        """Yield a finding for the tools that no step offers or runs; a grant alone asks for no call."""
        offered = {name for step in procedure.steps for name in (*step.tools, *step.command[:1])}
        left = [
            _tool_name(each)
            for each in self._elements
            if _is_tool(each)
            and not each.facts[ToolFact].grant
            and offered.isdisjoint((_tool_name(each), each.facts[ToolFact].script))
        ]
        if left:
            yield diagnose("tools-of-no-step", self._file.path, names=", ".join(dict.fromkeys(left)))

    # --- what a step does -----------------------------------------------------------------------------

    def _steps_of(self, group: _Group) -> Iterator[Step]:
        """Yield the steps of a part: a run of its script, then what the model does with it."""
        part = group.part
        name = self._take(part.title)
        base = Step(name, part.title, f"{self._file.path}:{part.first}-{part.last}")
        stops = [each for each in part.sentences if stops_a_run(each)]
        tools = self._tools_in(part)
        command = self._command(part)
        if command:
            rest = [each for each in part.sentences if each not in stops and command[0] not in each]
            rest = [each for each in rest if not after(each, "prints")]
            run_id = self._take(f"{name} run") if rest else name
            yield self._run(replace(base, step_id=run_id, does=Does.RUN, command=command), part, stops)
            if rest:
                scripts = (each for each in self._elements if each.facts[ToolFact].script == command[0])
                others = tools != (next(map(_tool_name, filter(_is_tool, scripts)), ""),)
                is_left = not others and any(is_outside(each, self._known) for each in rest)
                reads = self._reads(part, run_id)
                yield replace(base, does=Does.WAIT) if is_left else replace(base, tools=tools, reads=reads)
        elif group.work in (Work.WORLD, Work.PERSON):
            yield replace(base, does=Does.WAIT)
        else:
            yield self._asked(replace(base, tools=tools, reads=self._reads(part)), part, stops)

    def _work_of(self, part: Part) -> Work:
        """Return who does a part; what tools of the source can do isn't left to the person."""
        work = work_of(part, self._known, [*self._documents_in(part)])
        own = self._tools_in(part)
        return Work.MIND if own and work is not Work.PERSON else work

    def _asked(self, step: Step, part: Part, stops: Sequence[str]) -> Step:
        returns = fields_of(part)
        self._fields |= {field.name: f"{step.step_id}.{field.name}" for field in returns}
        options = choice_of(part)
        if options and not returns:
            label = python_identifier(nouns_of(part.title), {"reason", step.step_id}, fallback="choice")
            returns = [Returned("reason", "One sentence that says why."), Returned(label, options=options)]
            self._fields[label] = f"{step.step_id}.{label}"
            step = replace(step, does=Does.CHOOSE)
        if stops:
            returns += [] if returns else [Returned("result", "What the step found.")]
            returns.append(Returned("decision", " ".join(stops), options=("go_on", "stop")))
            step = replace(step, chooses_by="decision", says="")
            self._stopping[step.step_id] = stops
        if not returns and (over := self._list_of(repeated_for(part))):
            reads = tuple(name for name in step.reads if name != over.partition(".")[0])
            return replace(step, does=Does.REPEAT, over=over, reads=reads)
        return replace(step, returns=tuple(returns), type_name=class_of(part.title) if returns else "")

    def _list_of(self, words: Set[str]) -> str:
        """Return the list of these things that an earlier step of the model returns, as `step.field`, or `""`."""
        for step in reversed(self._steps):
            nouns = nouns_of(step.title)
            if step.does is Does.ASK and not step.returns and not words.isdisjoint(words_in(nouns)):
                name = python_identifier(ascii_words(nouns), set(), fallback="items")
                field = Returned(name, f"Each of {nouns}.", "list[str]")
                self._lists[step.step_id] = replace(step, returns=(field,), type_name=class_of(step.title))
                return f"{step.step_id}.{name}"
        return ""

    def _run(self, step: Step, part: Part, stops: Sequence[str]) -> Step:
        """Return the step that runs a script, typed if it prints JSON and the text names what it prints."""
        self._stopping[step.step_id] = stops
        source = self._snapshot.file(step.command[0])
        printed = (after(each, "prints") for each in part.sentences if each not in stops)
        names = [field.name for said in printed for field in listed(said)]
        condition = " ".join(stops)
        by = next((name for name in names if name.replace("_", " ") in condition.casefold()), "")
        if not by or source is None or "json" not in (source.text or ""):
            return step
        returns = tuple(
            Returned(name, kind="str" if name == by else "float | str", optional=name != by) for name in names
        )
        self._fields |= {name: f"{step.step_id}.{name}" for name in names}
        return replace(step, returns=returns, type_name=class_of(part.title), chooses_by=by)

    def _command(self, part: Part) -> tuple[str, ...]:
        """Return the path of the script that a step orders to run and its arguments, if all are known by then."""
        for place, element in enumerate(self._elements):
            tool = element.facts[ToolFact]
            name = tool.script.rpartition("/")[2]
            calls = [line for line in tool.calls if line in part.text]
            call = calls[0] if len(calls) == 1 else ""  # which of several is run, nobody says
            if element.mapping_row != "skill.script" or name not in call or " " not in call:
                continue
            shown, values = split_call(call.partition(name)[2])
            known = [self._fields.get(value, "") for value in values]
            fact = replace(tool, command=f"python {tool.script} {' '.join(shown)}".strip(), calls=())
            found = script_call(fact, self._snapshot.file(tool.script))
            arguments = found.arguments if found else ()
            names = [each.name for each in arguments if each.required]
            fits = all(known) and len(names) == len(arguments) == len(values)
            if not fits or (found is None and shown):  # it would be run without arguments that aren't read
                continue
            self._elements[place] = replace(element, facts=element.facts.adding(fact))
            return tool.script, *(f"{name}={value}" for name, value in zip(names, known, strict=True))
        return ()

    def _tools_in(self, part: Part) -> tuple[str, ...]:
        """Return the tools that a step names or shows; what asks the world and has none gets all that are granted."""
        tools = [each for each in self._elements if _is_tool(each)]
        found = [each for each in tools if self._is_named(each, part)]
        if not found and work_of(part, self._known, [*self._documents_in(part)]) is Work.WORLD:
            found = [each for each in tools if each.facts[ToolFact].grant]
        return tuple(dict.fromkeys(map(_tool_name, found)))

    def _is_named(self, element: Element, part: Part) -> bool:
        """Return whether a part names a tool, or shows its call."""
        tool, (first, last) = element.facts[ToolFact], element.line_range
        if tool.grant:
            return re.search(rf"(?<!\w){re.escape(tool.grant)}(?!\w)", part.text) is not None
        script = tool.script.rpartition("/")[2]
        is_here = element.source_file == self._file.path and part.first <= first and last <= part.last
        shown = any(call in part.text for call in (tool.command, *tool.calls) if call)
        return (is_here and not script) or (bool(script) and script in part.text) or shown

    # --- what it reads and returns --------------------------------------------------------------------

    def _reads(self, part: Part, run_id: str = "") -> tuple[str, ...]:
        """Return what a step is given: the text, documents that it names, the step before it and those it speaks of.

        A step that speaks of none is given all.
        """
        words = f" {' '.join([part.title, *part.sentences]).casefold()} "
        arguments = [
            each.facts[ArgumentFact].argument for each in self._elements if ArgumentFact in each.facts
        ]
        earlier = [] if self._is_choice else self._steps
        named = [step for step in earlier if _speaks_of(step, words)]
        chosen = [*named, earlier[-1]] if named else earlier
        # what a person or code did is always given, with the owner's words for it
        before = [step.step_id for step in earlier if step in chosen or not step.asks]
        inputs = arguments or ["message"]
        pages = dict.fromkeys((*self._loaded, *self._pages_in(part)))
        return (*inputs, *before, *([run_id] if run_id else []), *pages)

    def _documents_in(self, part: Part) -> Iterator[str]:
        """Yield the paths of the carried documents that a step names."""
        for path in self._snapshot.paths:
            own = path.removeprefix(self._folder)
            below = own.rpartition("/")[0]
            named = own in part.text or (below.count("/") > 0 and f"{below}/`" in part.text)
            if path != self._file.path and named and path.endswith((".md", ".txt")):
                yield own

    def _pages_in(self, part: Part) -> Iterator[str]:
        given = 0
        for own in self._documents_in(part):
            page = self._snapshot.file(f"{self._folder}{own}")
            if page is None:
                continue
            given += len(page.text or "")
            if given > _MOST_PAGES:
                return
            if own not in self._pages:
                self._pages[own] = self._take(own.rpartition("/")[2].rpartition(".")[0], "page")
            yield self._pages[own]

    def _with_form(self, step: Step) -> Step:
        """Return the last step with what it returns if the document has one form for its result."""
        forms = report_schemas(each for each in self._elements if declares_fields(each))
        if len(forms) != 1 or step.chooses_by or step.over:
            return step
        returns = tuple(map(_returned, forms[0].fields))
        return replace(step, does=Does.ASK, returns=returns, type_name=forms[0].class_name)

    # --- the order ------------------------------------------------------------------------------------

    def _choice(self, parts: Sequence[Part]) -> Step:
        options = tuple(part.title for part in parts)
        returns = (Returned("reason", "One sentence that says why."), Returned("choice", options=options))
        return Step(
            self._take("choose"),
            "Choose what fits",
            f"{self._file.path}:{parts[0].first}-{parts[-1].last}",
            Does.CHOOSE,
            reads=("message",),
            returns=returns,
            type_name="Choice",
            chooses_by="choice",
            says="Choose the one of these that the text asks for: " + "; ".join(options) + ".",
        )

    def _chosen(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Yield the alternatives behind their choice; each ends the run."""
        first, *others = steps
        heads = {step.title: step.step_id for step in reversed(others)}
        yield replace(first, next=tuple(Branch(to, title) for title, to in reversed(heads.items())))
        for step, following in zip(others, [*others[1:], None], strict=True):
            to = following.step_id if following is not None and following.title == step.title else END
            yield replace(step, next=(Branch(to),))

    def _linked(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Yield the steps in their order, each with the ends of the run that its text names."""
        for step, following in zip(steps, [*steps[1:], None], strict=True):
            ahead = Branch(following.step_id if following is not None else END)
            stops = list(self._stops_of(step))
            branches = [Branch(stop.step_id, when) for stop, when in stops]
            yield replace(step, next=(*branches, ahead))
            yield from (stop for stop, _ in stops)

    def _stops_of(self, step: Step) -> Iterator[tuple[Step, str]]:
        """Yield the ends of the run behind a step, each with the value that leads to it."""
        sentences = self._stopping.get(step.step_id, [])
        if step.asks and sentences:
            name = self._take(f"{step.step_id} stopped")
            yield Step(name, "Stop", step.source, Does.STOP, says=sentences[0]), "stop"
            return
        for sentence in sentences:
            condition = sentence.split(", ")[0]
            for value in dict.fromkeys(_QUOTED.findall(condition)):
                yield Step(self._take(value), f"Stop: {value}", step.source, Does.STOP, says=sentence), value

    def _take(self, words: str, fallback: str = "step") -> str:
        name = python_identifier(words, self._names, fallback=fallback)
        self._names.add(name)
        return name

    # --- the elements ---------------------------------------------------------------------------------

    def _with_steps(self, spans: Mapping[str, Part], *, has_form: bool) -> Iterator[Element]:
        """Yield the elements with the step of their lines."""
        for element in self._elements:
            first = element.line_range[0]
            here = (name for name, part in spans.items() if part.first <= first <= part.last)
            name = next(here, "") if element.source_file == self._file.path else ""
            is_form = declares_fields(element) and not has_form  # nothing fills it: it is text of the prompt
            is_guidance = element.mapping_row == "skill.guidance"  # it is told in its step, not beside all
            made = element
            if is_form or (is_guidance and name):
                made = replace(element, tag=Tag.DECIDE, category=Category.C2, mapping_row="skill.rule")
            facts = Facts() if is_form else element.facts
            is_told = name and made.category is Category.C2
            yield replace(made, facts=facts.adding(StepFact(name)) if is_told else facts)


_CALLED: Final = ("skill.script", "skill.endpoint", "skill.program", "skill.grant")


def _is_tool(element: Element) -> bool:
    """Return whether a model may call what an element declares; a question for the person is the run's own."""
    return element.mapping_row.startswith(_CALLED) and element.facts[ToolFact].grant != ASKING_TOOL


def _tool_name(element: Element) -> str:
    return element.facts.name or element.location


def _quoted(titles: Sequence[str]) -> str:
    return ", ".join(f'"{title}"' for title in titles)


def _speaks_of(step: Step, words: str) -> bool:
    nouns = {field.name.replace("_", " ") for field in step.returns} - {"reason", "result", "decision"}
    return any(f" {noun}" in words for noun in nouns)


def _returned(field: SchemaField) -> Returned:
    kind = "list[str]" if field.many else field.plain
    return Returned(field.name, field.words, kind, field.options if not field.many else (), field.optional)
