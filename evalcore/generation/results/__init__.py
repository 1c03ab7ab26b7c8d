"""What a run shows: valid output, rates, agreement of checks and raters, and two runs side by side."""
