#!/usr/bin/env bash
# Makes sure that the browser tests have a Chromium: one that is there, Debian's package where root can
# install it, else Playwright's own build, else a failure that says what to install. They are never skipped.
set -u
python=$1
[ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ] && exit 0
command -v chromium >/dev/null 2>&1 && exit 0
has_playwright_browser() {
  "$python" -c 'import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as p:
    sys.exit(not os.path.exists(p.chromium.executable_path))'
}
has_playwright_browser && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Debian's chromium for the browser tests"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1
  # Ubuntu's package of that name is a pointer to a snap and brings no program.
  command -v chromium >/dev/null 2>&1 && chromium --version >/dev/null 2>&1 && exit 0
fi
echo "Fetching Playwright's own Chromium for the browser tests"
if [ "$(id -u)" = 0 ]; then "$python" -m playwright install --with-deps chromium; else "$python" -m playwright install chromium; fi >/dev/null 2>&1
has_playwright_browser && exit 0
echo "The browser tests need Chromium and none could be installed. Install one, for example" >&2
echo "  sudo apt-get install chromium      (Debian)" >&2
echo "or name one: CHROMIUM=/path/to/chromium make test" >&2
exit 1
