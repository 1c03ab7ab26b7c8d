"""What the pages share: shell, theme, figures, cards, controls, downloads and the cached calls into evalcore."""
