"""The whole site: its pages as texts by place, and how they are written."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from dpsco.running.record import Record
from dpsco.show.report import plot, search
from dpsco.show.report.auditor import auditor_page
from dpsco.show.report.benchmarks import benchmarks_page
from dpsco.show.report.claim import claim_page
from dpsco.show.report.data import file_of, register_of
from dpsco.show.report.documents import docs_pages, guide_index, guide_pages
from dpsco.show.report.experiments import experiments_page
from dpsco.show.report.front import front_page
from dpsco.show.report.mentions import linked
from dpsco.show.report.page import INDEX, page
from dpsco.show.report.papers import paper_file, paper_page
from dpsco.show.report.power import power_page
from dpsco.show.report.rates import rates_page
from dpsco.spec.papers import PAPERS

ASSETS = Path(__file__).parent / "assets"
FILES = ("report.css", "report.js", "search.js")
MARKER = "report.css"
"""A folder that has it is taken for a report: it may be written over."""


def site(
    records: Sequence[Record],
    version: str,
    at: Callable[[str], None] = lambda _: None,
    source: str = "",
    docs: Path | None = None,
) -> dict[str, str]:
    """Every file of the site by its place, from the judgements of all claims and amendments.

    `version` stands in the footer of every page, `at` hears what is written, `source` is the address under which the package's
    files stand ("": they are named without a link), `docs` a folder of Markdown pages that belong to it. The same judgements,
    version, address and folder give the same bytes: no clock, no machine, no order of arrival.
    """
    register, maps, guides = register_of(records), plot.maps(), guide_pages()
    documents = docs_pages(docs) if docs is not None else []
    links = [(title, place) for title, place, _ in (*guides, *documents[:1])]
    pages = {"index.html": front_page(register, links, version)}
    for key in PAPERS:
        pages[paper_file(key)] = paper_page(register, key, version)
    for id in register.pages:
        at(id)
        pages[file_of(id)] = claim_page(register, id, maps, version, source)
    pages["guide/index.html"] = guide_index(guides, version)
    for title, place, content in guides:  # an index of the guide's own takes the place of ours
        pages[place] = page(title, content, at=place, version=version, here="Guide", wide=True)
    for title, place, content in documents:
        pages[place] = page(title, content, at=place, version=version, here="Guide", wide=True)
    pages["rates.html"] = rates_page(register, version)
    pages["power.html"] = power_page(register, version)
    pages["experiments.html"] = experiments_page(register, version)
    pages["auditor.html"] = auditor_page(version)
    pages["benchmarks.html"] = benchmarks_page(version)
    pages = {place: linked(content, place, register.pages) for place, content in pages.items()}
    pages[INDEX] = search.index(register, pages)
    return pages | {name: (ASSETS / name).read_text(encoding="utf-8") for name in FILES}


def write(files: Mapping[str, str], folder: Path) -> int:
    """Write the site into the folder; returns the number of bytes.

    Raises   OSError where it cannot be written
    """
    total = 0
    for place, content in files.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        total += file.write_bytes(content.encode())
    return total


def foreign(folder: Path) -> bool:
    """Whether the folder has files and is no report: then nothing is written into it."""
    return folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file()
