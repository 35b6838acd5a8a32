"""Scores what a model's answers to `--assist` change in how labelled lines are read.

    python -m scripts.score_assist LABELS.json CORPUS FOLDER [--below 0.82]

Writes the prompts of the labelled elements that are uncertain to FOLDER/1.txt, 2.txt and so on. Give each to a model
and save what it says as FOLDER/1.json, 2.json; then the same command prints the measures of `score_labels.py` with and
without the answers, over the lines that were asked about and over all, also for the lower bounds of BOUNDS. What isn't
answered keeps its reading.
"""

import argparse
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from melleafy_tui.cli.assist.questions import NEVER_ASKED, batches, questions_about
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE
from melleafy_tui.core.pipeline.review import is_unsure
from scripts.score_labels import Scored, read_labels, scored, table

BOUNDS: Final = (LOW_CONFIDENCE, 0.75)
"""Bounds of `--assist-below` that are measured apart, if the answers reach so far."""


def main() -> None:
    """Write the prompts, and print the tables if there are answers."""
    parser = argparse.ArgumentParser(description="Scores what a model's answers to --assist change.")
    parser.add_argument("labels", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--below", type=float, default=LOW_CONFIDENCE)
    arguments = parser.parse_args()
    rows = list(scored(read_labels(arguments.labels), arguments.corpus))
    asked = [
        number
        for number, row in enumerate(rows)
        if is_unsure(row.element, arguments.below) and row.element.category is not NEVER_ASKED
    ]
    by_key = {_key(row): row for row in map(rows.__getitem__, asked)}
    planned = batches(
        [
            question
            for key, row in by_key.items()
            for question in questions_about(row.elements, {row.elements.index(row.element): key})
        ]
    )
    arguments.folder.mkdir(parents=True, exist_ok=True)
    answers: dict[str, Retag] = {}
    for number, batch in enumerate(planned, 1):
        (arguments.folder / f"{number}.txt").write_text(batch.prompt(()), encoding="utf-8")
        said = arguments.folder / f"{number}.json"
        if said.is_file():
            answers |= batch.answers(said.read_text(encoding="utf-8"), "measured")
    print(f"{len(asked)} of {len(rows)} labelled lines are asked about, in {len(by_key)} elements")
    print(f"{len(planned)} prompts; {len(answers)} usable answers")
    bounds = sorted({bound for bound in (*BOUNDS, arguments.below) if bound <= arguments.below})
    for bound in bounds if answers else ():
        unsure = [number for number in asked if rows[number].element.confidence < bound]
        after = [
            _with_answer(row, answers.get(_key(row)) if row.element.confidence < bound else None)
            for row in rows
        ]
        for title, numbers in ((f"below {bound}", unsure), ("all", range(len(rows)))):
            for state, read in (("rules", rows), (f"answers below {bound}", after)):
                print("\n".join(table(f"{title}, {state}", [read[number] for number in numbers])))


def _key(row: Scored) -> str:
    return f"{row.label.repo}/{row.label.ws}/{row.element.element_id}"


def _with_answer(row: Scored, answer: Retag | None) -> Scored:
    """Return a row as the answer reads its element."""
    if answer is None:
        return row
    element = replace(row.element, tag=answer.tag, category=answer.category, use=answer.use)
    return replace(row, element=element)


if __name__ == "__main__":
    main()
