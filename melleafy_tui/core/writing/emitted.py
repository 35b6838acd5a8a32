"""The records that join the emitted files last: lint report, hashes, and the texts that a later merge starts from.

`intermediate/emitted.json` holds path and SHA-256 of every other file. `intermediate/emitted_texts.json` holds
the text of every file a user may want to edit, because a three-way merge needs what was emitted before, and a hash
does not give it back. It is one JSON file with a line for each text: uncompressed, since compressed bytes differ
between zlib builds and the same input must give the same bytes; no folder of copies, since checkers would read
those that end in `.py`.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from io import BytesIO
from typing import Final

from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import EmittedFile, FileSet

RECORDS_FORMAT: Final = "1.0"
MANIFEST_NAME: Final = "melleafy.json"
INTERMEDIATE: Final = "intermediate/"
EMITTED_NAME: Final = "intermediate/emitted.json"
EMITTED_TEXTS_NAME: Final = "intermediate/emitted_texts.json"
STEP_7_REPORT_NAME: Final = "intermediate/step_7_report.json"

_CHUNK: Final = 1 << 16
"""Characters of a text that are quoted at a time."""


def with_reports(files: FileSet, lints: LintReport) -> FileSet:
    """Return the file set with the lint report and the records of what is emitted.

    Args:
        files: The generated files.
        lints: Step 7's result on them.
    """
    folder = f"{files.package_name}/"
    report = json.dumps(
        {"format_version": RECORDS_FORMAT, "passed": lints.passed, **asdict(lints)},
        indent=2,
        ensure_ascii=False,
    )
    reported = EmittedFile(folder + STEP_7_REPORT_NAME, f"{report}\n".encode())
    return _recorded([*files.files, reported], files.package_name, folder)


def package_only(files: FileSet) -> FileSet:
    """Return the package's own files with paths that start inside it, recorded anew, for `--in-place`.

    What lies beside the package (`pyproject.toml`) is left out, because nothing but the package is added to the
    workspace.
    """
    folder = f"{files.package_name}/"
    inside = [
        EmittedFile(file.path.removeprefix(folder), file.data, file.provenance)
        for file in files.files
        if file.path.startswith(folder)
    ]
    return _recorded(inside, files.package_name, "")


def record_folder(files: FileSet) -> str:
    """Return the folder of the package within the file set, with its final `/`, or `""` for `package_only` sets."""
    folder = f"{files.package_name}/"
    return folder if folder + EMITTED_NAME in files.by_path else ""


def _recorded(files: Iterable[EmittedFile], package_name: str, folder: str) -> FileSet:
    records = {folder + EMITTED_NAME, folder + EMITTED_TEXTS_NAME}
    listed = sorted((file for file in files if file.path not in records), key=lambda file: file.path)
    texts = EmittedFile(folder + EMITTED_TEXTS_NAME, _texts(listed, folder))
    with_texts = sorted([*listed, texts], key=lambda file: file.path)
    manifest = {
        "format_version": RECORDS_FORMAT,
        "package_name": package_name,
        "files": {file.path: file.sha256 for file in with_texts},
    }
    emitted = EmittedFile(
        folder + EMITTED_NAME, f"{json.dumps(manifest, indent=2, ensure_ascii=False)}\n".encode()
    )
    return FileSet(tuple(sorted([*with_texts, emitted], key=lambda file: file.path)), package_name)


def _mergeable_text(file: EmittedFile, folder: str) -> str | None:
    if file.path.startswith(folder + INTERMEDIATE):
        return None
    try:
        return file.data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _texts(files: Iterable[EmittedFile], folder: str) -> bytes:
    """Return the texts as a JSON object with a line for each, none of them held longer than its line is written."""
    written = BytesIO()
    start = "{\n"
    for file in files:
        text = _mergeable_text(file, folder)
        if text is not None:
            written.write(f'{start}  {json.dumps(file.path)}: "'.encode())
            for first in range(0, len(text), _CHUNK):
                written.write(json.dumps(text[first : first + _CHUNK])[1:-1].encode())
            written.write(b'"')
            start = ",\n"
    written.write(b"\n}\n" if written.tell() else b"{\n\n}\n")
    return written.getvalue()
