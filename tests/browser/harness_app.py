"""The app with a client that asks another address and a journal of its own: how tests reach it, and nobody else.

python tests/browser/harness_app.py BASE_URL FOLDER PORT
"""

import os
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(base_url, folder, port):
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    from streamlit.web import bootstrap

    from evalcore.generation.calls.client import Client
    from evalcore.generation.calls.runner import Pauses
    from ui.harness.wiring import WIRING

    WIRING.folder = Path(folder)
    WIRING.client = partial(Client, base_url=base_url)
    WIRING.pauses = Pauses((0.2, 0.2, 0.2))
    options = {
        "server.port": int(port),
        "server.address": "127.0.0.1",
        "server.headless": True,
        "server.fileWatcherType": "none",
    }
    bootstrap.load_config_options(flag_options={name.replace(".", "_"): value for name, value in options.items()})
    bootstrap.run(str(ROOT / "app.py"), False, [], {})


if __name__ == "__main__":
    main(*sys.argv[1:])
