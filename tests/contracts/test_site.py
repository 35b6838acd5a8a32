"""The site is complete: every page is in its navigation, every link and anchor exists, generated pages are current.

Two programs read the pages: GitHub, and the site's Python-Markdown. What they read differently isn't used.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from selenium import webdriver

from melleafy_tui.cli.commands.schema import MODELS, json_schema
from scripts.build_reference import REFERENCE, generated
from tests.conftest import PROJECT

DOCS: Final = PROJECT / "docs"
PAGES: Final = sorted(DOCS.rglob("*.md"))
WRITTEN: Final = [*PAGES, *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]
"""The pages, and what GitHub alone shows. CHANGELOG.md has one line an entry, because a release's notes are cut from it."""

LONGEST: Final = 119


def tokens(page: Path) -> list[Token]:
    """The blocks of a page, and the inline tokens inside them."""
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def inline(page: Path) -> Iterator[Token]:
    for token in tokens(page):
        yield from token.children or ()


def named(page: Path) -> str:
    return str(page.relative_to(PROJECT))


# --- links ------------------------------------------------------------------------------------


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and Python-Markdown make it when they agree."""
    text = unicodedata.normalize("NFKD", unescape(heading)).lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text)).strip("-")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, and those that are written out."""
    found: set[str] = set()
    for before, token in pairwise(tokens(page)):
        if before.type == "heading_open" and token.children:
            text = "".join(each.content for each in token.children if each.type in ("text", "code_inline"))
            name, number = slug(text), 0
            while (made := f"{name}_{number}" if number else name) in found:
                number += 1
            found.add(made)
    return found | set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8")))


def links(page: Path) -> Iterator[str]:
    for token in inline(page):
        address = token.attrs.get("href") or token.attrs.get("src")
        if isinstance(address, str) and not re.match(r"[a-z]+:", address):
            yield address


def fault_of(page: Path, link: str) -> str:
    """What is wrong with a link, or `""`."""
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return "leads nowhere"
    if page.is_relative_to(DOCS) and not target.is_relative_to(DOCS):
        return "leaves the site"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "has no such anchor"
    return ""


def test_every_link_and_anchor_exists() -> None:
    found = [(page, link) for page in [*WRITTEN, PROJECT / "examples" / "README.md"] for link in links(page)]
    faults = [(named(page), link, fault) for page, link in found if (fault := fault_of(page, link))]
    assert faults == []
    assert len(found) > 80


# --- navigation and generated pages -------------------------------------------------------------


def entries(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        for value in entry.values():
            yield from entries(value) if isinstance(value, list) else [value]


def test_the_navigation_has_every_page_once() -> None:
    settings = tomllib.loads((PROJECT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert sorted(entries(settings["nav"])) == [str(page.relative_to(DOCS)) for page in PAGES], (
        "see zensical.toml"
    )


def test_generated_pages_are_current() -> None:
    files = generated()
    stale = [
        path
        for path, text in files.items()
        if not (REFERENCE / path).is_file() or (REFERENCE / path).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run `make docs`"
    kept = {str(path.relative_to(REFERENCE)) for path in REFERENCE.rglob("*") if path.is_file()}
    assert kept == set(files)


# --- how it is written --------------------------------------------------------------------------


def prose(page: Path) -> str:
    """A page without what programs print, whose lines are as long as they are."""
    return re.sub(
        r"(?<=^```console\n).*?(?=^```$)",
        lambda block: "\n" * block[0].count("\n"),
        page.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )


def test_no_line_is_longer_than_119_columns() -> None:
    long = [
        f"{named(page)}:{number}"
        for page in WRITTEN
        for number, line in enumerate(prose(page).splitlines(), 1)
        if len(line) > LONGEST and not line.startswith(("|", "!["))
    ]
    assert long == []


def test_every_block_of_code_is_closed() -> None:
    counts = {
        page: len(re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.MULTILINE)) for page in WRITTEN
    }
    assert [named(page) for page, count in counts.items() if count % 2] == []


def test_lists_are_read_alike_by_both_programs() -> None:
    """Python-Markdown wants an empty line before a list, four columns for an inner one, and shows `\\|` in code."""
    faults = []
    for page in PAGES:
        lines = page.read_text(encoding="utf-8").splitlines()
        for token in tokens(page):
            if token.map is None:
                continue
            first = lines[token.map[0]]
            opens = token.type in ("bullet_list_open", "ordered_list_open")
            if opens and token.level == 0 and token.map[0] and lines[token.map[0] - 1].strip():
                faults.append(f"{named(page)}:{token.map[0] + 1}: no empty line before the list")
            if opens and token.level and (len(first) - len(first.lstrip())) % 4:
                faults.append(f"{named(page)}:{token.map[0] + 1}: inner list without four columns")
            if token.type == "tr_open" and re.search(r"`[^`]*\\\|[^`]*`", first):
                faults.append(f"{named(page)}:{token.map[0] + 1}: \\| in code in a table")
    assert faults == []


INTERNAL: Final = re.compile(
    r"(?<![\w/])spec/|\bspec(?:ification)? \d|(?<!random )(?<!-)\bseeds? \d|\bthe seed (?:has|says)|\bthe seed's"
    r"|\bissues? #?\d|\bclaim \d",
    re.IGNORECASE,
)
"""Words for documents that aren't shipped. A seed of a random number, a wallet or a model is another thing."""


def test_nothing_shipped_names_a_document_that_is_not() -> None:
    code = [
        path
        for folder in ("melleafy_tui", "generators", "screens", "examples", "benchmarks", "scripts")
        for path in sorted((PROJECT / folder).rglob("*"))
        if path.suffix in (".py", ".j2", ".md", ".tcss", ".html", ".js")
    ]
    faults = [
        f"{named(path)}: {found[0]}"
        for path in [*WRITTEN, *code]
        for found in INTERNAL.finditer(path.read_text(encoding="utf-8"))
    ]
    assert faults == []


def test_no_printed_schema_names_a_document_that_is_not_shipped() -> None:
    texts = {name: json.dumps(json_schema(name)) for name in MODELS}
    faults = [
        (name, found[0])
        for name, text in texts.items()
        for found in re.finditer(r"\b(?:spec|seeds?|issues?)\b|[\w/]+\.py\b|\bdocs/", text)
    ]
    assert faults == []


# --- the build ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    program = Path(sys.executable).parent / "zensical"
    if not program.exists():
        pytest.skip("zensical is not installed: make site")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "docs")
    shutil.copy(PROJECT / "zensical.toml", folder)
    built = subprocess.run(
        [program, "build", "--strict"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"


@pytest.mark.slow
def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site: Path) -> None:
    assert [page for page in PAGES if not made_of(page, site).is_file()] == []
    home = (site / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r'<(?:script|link|img)\b[^>]*(?:src|href)="(https?://[^"]+)', home)
    assert loaded == [], "a page asks no other server"


CHROMIUM: Final = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER: Final = shutil.which("chromedriver")
WIDTHS: Final = (1280, 390)
WIDE: Final = (
    "index",
    "cli",
    "reference/dispositions",
    "reference/settings",
    "evidence",
    "dialects/openclaw",
)
"""Pages with the widest tables and blocks."""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="chromium and chromedriver are not installed")
def test_no_page_scrolls_sideways(site: Path) -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    wide = []
    try:
        for width in WIDTHS:
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            for page in WIDE:
                browser.get(made_of(DOCS / f"{page}.md", site).as_uri())
                found = browser.execute_script("return document.documentElement.scrollWidth")
                wide += [(page, width, found)] if found > width else []
    finally:
        browser.quit()
    assert wide == []


def made_of(page: Path, site: Path) -> Path:
    """The file that the site has for a page."""
    path = page.relative_to(DOCS).with_suffix("")
    return site / (path.parent if path.name == "index" else path) / "index.html"
