"""A study of one's own files: declared before its results are shown, kept in one file and opened again."""

from evalcore.own.archive import open_study, save
from evalcore.own.declaration import Declaration, Family, Stamped
from evalcore.own.inputs import Input, Part
from evalcore.own.study import CHANGED, OwnStudy

__all__ = ["CHANGED", "Declaration", "Family", "Input", "OwnStudy", "Part", "Stamped", "open_study", "save"]
