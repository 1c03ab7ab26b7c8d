"""A visitor's key: looked at before anything is made with it, and never shown again."""

from __future__ import annotations

import re

from pydantic import SecretStr

_FORM = re.compile(r"sk-ant-[A-Za-z0-9_-]{20,}")


class BadKey(ValueError):
    """What was pasted is no key; the message says why, without the key."""


def read_key(pasted: str) -> SecretStr:
    """The key, unchanged.

    A key with a space or a line break is refused, not mended: the HTTP library would refuse it too, with an error
    that quotes it.

    Raises:
        BadKey: the text cannot be a key.

    """
    if not pasted:
        raise BadKey("Paste a key first.")
    if re.search(r"\s", pasted):
        raise BadKey("There is a space or a line break in the key. Paste it again without; nothing was sent.")
    if not pasted.isascii() or not pasted.isprintable():
        raise BadKey("There is a character in the key that no key has. Paste it again; nothing was sent.")
    if not _FORM.fullmatch(pasted):
        raise BadKey("That is not a key: keys begin with sk-ant- and are longer. Paste it again; nothing was sent.")
    return SecretStr(pasted)


def without_key(text: str, key: SecretStr) -> str:
    """A text from outside with the key taken out of it, should a service have sent it back."""
    return text.replace(key.get_secret_value(), "[key]")
