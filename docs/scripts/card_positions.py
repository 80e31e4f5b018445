"""Where the numbers of the verdict cards stand on a site that `dpsco report` has written, measured in a browser.

python docs/scripts/card_positions.py FOLDER [WIDTH ...]
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
SECONDS = 300
TALL = 900
"""Pixels of a first screen."""

SCRIPT = """
const pages = PAGES, widths = WIDTHS, found = [];
async function measure(page, width) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `border:0;height:900px;width:${width}px`;
  const loaded = new Promise((done) => (frame.onload = done));
  frame.src = page;
  document.body.replaceChildren(frame);
  await loaded;
  const inside = frame.contentDocument, number = inside.querySelector(".card .number");
  const clipped = [...inside.querySelectorAll(".card .wide")].filter((box) => box.scrollWidth > box.clientWidth + 1);
  const root = inside.documentElement;
  return {
    page, width, bottom: number && Math.ceil(number.getBoundingClientRect().bottom), sideways: root.scrollWidth > width,
    clipped: clipped.length, height: root.scrollHeight,
    first: inside.querySelector("main").firstElementChild.id,
    buttons: inside.querySelectorAll(".card button:not([hidden])").length,
  };
}
(async () => {
  for (const width of widths) for (const page of pages) found.push(await measure(page, width));
  document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(found) }));
  document.title = "done";
})();
"""


def measured(folder: Path, pages: Sequence[str], widths: Sequence[int]) -> list[dict[str, Any]]:
    """For each page and width: the lower edge of the card's number (null: it has none), whether the page scrolls sideways, how
    many displayed formulas of the card do, and its height, in CSS pixels."""
    assert BROWSER is not None
    script = SCRIPT.replace("PAGES", json.dumps(list(pages))).replace("WIDTHS", json.dumps(list(widths)))
    frame = folder / "measure.html"
    frame.write_text(f"<!doctype html><body><script>{script}</script></body>", encoding="utf-8")
    try:
        with tempfile.TemporaryDirectory() as home:
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files"]
            options += [f"--user-data-dir={home}", "--window-size=1400,1000", f"--virtual-time-budget={SECONDS * 1000}"]
            done = subprocess.run(
                [BROWSER, *options, "--dump-dom", frame.as_uri()], capture_output=True, text=True, timeout=SECONDS, check=True
            )
    finally:
        frame.unlink()
    shown = re.search(r"<pre>(\[.*\])</pre>", done.stdout, re.DOTALL)
    assert shown is not None, done.stdout[-500:]
    found: list[dict[str, Any]] = json.loads(unescape(shown[1]))
    return found


def main(arguments: Sequence[str]) -> None:
    folder, widths = Path(arguments[0]), [int(width) for width in arguments[1:]] or [375, 1200]
    pages = sorted(file.relative_to(folder).as_posix() for file in folder.glob("claims/*.html"))
    found = measured(folder, pages, widths)
    for width in widths:
        here = [one for one in found if one["width"] == width]
        ends = sorted(one["bottom"] for one in here if one["bottom"] is not None)
        print(f"{width} px: {len(here)} pages, {len(ends)} with a number, its lower edge at most {ends[-1]} px, median")
        print(f"  {ends[len(ends) // 2]}; {sum(end <= TALL for end in ends)} within {TALL};", end=" ")
        print(f"{sum(one['sideways'] for one in here)} pages scroll sideways;", end=" ")
        print(f"{sum(one['clipped'] > 0 for one in here)} cards have a formula that scrolls")
        for one in here:
            if one["sideways"] or (one["bottom"] or 0) > TALL:
                print(f"  {one}")


if __name__ == "__main__":
    main(sys.argv[1:])
