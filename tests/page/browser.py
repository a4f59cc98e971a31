"""A headless browser that opens pages from disk: chromium, driven by selenium."""

from __future__ import annotations

import base64
import io
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="pip install selenium")

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium and chromedriver (apt install chromium-driver)"
)
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader"),
    *("--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--hide-scrollbars"),
)
_PATIENCE = 1200


class Browser:
    """One window; `live` evaluates what the page's hook offers."""

    def __init__(self, *flags: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in (*_FLAGS, *flags):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        service = webdriver.ChromeService(DRIVER)
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_script_timeout(_PATIENCE)

    def open(
        self, path: Path, hash: str = "pause&theme=light", size: tuple[int, int] = (420, 320)
    ) -> None:
        """Open a page and wait for its hook, or for what it says instead; never for a time."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(f"{path.as_uri()}#{hash}")
        self.wait("window.live || document.getElementById('lacking')")

    def wait(self, condition: str) -> None:
        """Until a condition of JavaScript holds."""
        end = time.monotonic() + _PATIENCE
        while not self.driver.execute_script(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} did not come; console: {self.console()}"
            time.sleep(0.1)

    def script(self, text: str, *arguments: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(text, *arguments)

    def live(self, call: str, *arguments: Any) -> Any:
        """The value of a function of the hook."""
        return self.script(f"return window.live.{call}(...arguments)", *arguments)

    def console(self) -> list[str]:
        """What was written to the console since."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def picture(self) -> Any:
        """(height, width, 3) of the canvas drawn anew, 0 to 255."""
        return _pixels(self.live("png").split(",")[1])

    def screen(self) -> Any:
        """(height, width, 3) of the window as it stands before the eye, 0 to 255."""
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        return _pixels(shot["data"])


def _pixels(data: str) -> Any:
    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode(data)))
    return np.asarray(image.convert("RGB"), dtype=np.int64)


@contextmanager
def browser(*flags: str) -> Iterator[Browser]:
    """A browser, closed at the end."""
    made = Browser(*flags)
    try:
        yield made
    finally:
        made.driver.quit()
